/** Declares a subject twice: with its inputs, and with the example as its only input. */
import { type fc, fuzz } from 'norn'
import { type Pool, threadPool } from './pool.ts'
import { withOneInput } from './property-names.ts'

export interface Declaration<Inputs> {
  readonly inputs: { readonly [Name in keyof Inputs]: fc.Arbitrary<Inputs[Name]> }
  /**
   * An input for a test by somebody who does not know the bug; passes under the default schedule.
   */
  readonly example: Inputs
  readonly body: (inputs: Inputs, pool: Pool) => unknown
}

/**
 * Numbers that each execution sorts, for the fleet suite: as much work as a slow program. None of it is in
 * instrumented code: a loop here would be a branch and a comparison that guide the search.
 */
const work = new Uint32Array(Number(process.env.NORN_BENCH_WORK ?? 0))

/** @param name the subject's short name, a colon, and the law */
export function subject<Inputs>(name: string, { inputs, example, body }: Declaration<Inputs>): void {
  const run = (values: Inputs, pool: Pool = threadPool) => {
    work.sort()
    return body(values, pool)
  }
  fuzz(name, inputs, run)
  fuzz(withOneInput(name), {}, () => run(example))
}
