/**
 * `fc.scheduler()` on the tape: fast-check's own scheduler, whose picks are choices of the schedule
 * lane. So they are searched, shrunk and replayed as schedules are, independently of the input.
 *
 * Inside `fc.check` and `fc.sample`, which have random sources of their own, fast-check draws the
 * picks itself.
 */
import fc from 'fast-check'
import { TapeRandom } from '../input/random.ts'

type Constraints = Parameters<typeof fc.scheduler>[0]

class TapedScheduler<Metadata> extends fc.Arbitrary<fc.Scheduler<Metadata>> {
  readonly #inner: fc.Arbitrary<fc.Scheduler<Metadata>>

  constructor(inner: fc.Arbitrary<fc.Scheduler<Metadata>>) {
    super()
    this.#inner = inner
  }

  override generate(random: fc.Random, biasFactor: number | undefined): fc.Value<fc.Scheduler<Metadata>> {
    return this.#inner.generate(random instanceof TapeRandom ? random.picks() : random, biasFactor)
  }

  override canShrinkWithoutContext(value: unknown): value is fc.Scheduler<Metadata> {
    return this.#inner.canShrinkWithoutContext(value)
  }

  override shrink(value: fc.Scheduler<Metadata>, context: unknown): fc.Stream<fc.Value<fc.Scheduler<Metadata>>> {
    return this.#inner.shrink(value, context)
  }
}

export function tapedScheduler<Metadata = unknown>(constraints?: Constraints): fc.Arbitrary<fc.Scheduler<Metadata>> {
  return new TapedScheduler(fc.scheduler<Metadata>(constraints))
}
