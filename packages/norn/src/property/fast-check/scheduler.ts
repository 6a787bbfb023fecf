/**
 * `fc.scheduler()` on the tape: fast-check's own scheduler, whose picks are choices of the schedule
 * lane. So they are searched, shrunk and replayed as schedules are, independently of the input.
 *
 * Inside `fc.check` and `fc.sample`, which have random sources of their own, fast-check draws the
 * picks itself.
 */
import type fc from 'fast-check'
import { TapeRandom } from '../input/random.ts'
import type { FastCheck } from './copies.ts'

type Generate = (random: fc.Random, biasFactor: number | undefined) => fc.Value<unknown>

type Constraints = Parameters<FastCheck['scheduler']>[0]

/** Fast-check 2 wraps its arbitraries; other arbitraries call the wrapped one. */
type WithWrapper = FastCheck & { convertToNext?<Value>(wrapper: fc.Arbitrary<Value>): fc.Arbitrary<Value> }

/** `fc.scheduler` of a copy. */
export function tapedScheduler(copy: FastCheck): FastCheck['scheduler'] {
  return <Metadata = unknown>(constraints?: Constraints) => {
    const arbitrary = copy.scheduler<Metadata>(constraints)
    const generating = (copy as WithWrapper).convertToNext?.(arbitrary) ?? arbitrary
    const generate = generating.generate.bind(generating) as Generate
    const picking: Generate = (random, biasFactor) =>
      generate(random instanceof TapeRandom ? random.picks() : random, biasFactor)
    Object.defineProperty(generating, 'generate', { value: picking })
    return arbitrary
  }
}
