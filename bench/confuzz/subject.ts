/** Declares a subject: once with its inputs, and once with one input and nothing but schedules to look for. */
import { type fc, fuzz } from 'norn'
import { type Pool, threadPool } from './pool.ts'
import { withOneInput } from './property-names.ts'

export interface Declaration<Inputs> {
  readonly inputs: { readonly [Name in keyof Inputs]: fc.Arbitrary<Inputs[Name]> }
  /** An input as one would write it into a test without knowing of the bug; passes in the natural order. */
  readonly example: Inputs
  readonly body: (inputs: Inputs, pool: Pool) => unknown
}

/** @param name the subject's short name, a colon, and what must hold */
export function subject<Inputs>(name: string, { inputs, example, body }: Declaration<Inputs>): void {
  const run = (values: Inputs, pool: Pool = threadPool) => body(values, pool)
  fuzz(name, inputs, run)
  fuzz(withOneInput(name), {}, () => run(example))
}
