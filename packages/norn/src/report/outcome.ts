/** How a property ended, for files that other tools read. */
import type { Verdict } from '../contract/verdict.ts'
import type { Problem } from './problem.ts'

export interface Outcome {
  /** The file that declares it, relative to the root. */
  readonly file: string
  readonly property: string
  readonly verdict: Verdict | 'skipped'
  /** Why it was skipped. */
  readonly why?: string
  /** Real time. */
  readonly timeMs: number
  readonly problems: readonly Problem[]
}
