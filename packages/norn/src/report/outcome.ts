/** How properties ended, for files that other tools read. */
import type { Verdict } from '../contract/verdict.ts'
import type { Option } from '../options/option.ts'
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

/** The results of a call, at its end or by then. */
interface CallResults {
  readonly outcomes: readonly Outcome[]
  /** Whether the call ran all its properties. */
  readonly isComplete: boolean
}

/** A format of files: the flag that names a file, and what is written. */
export interface ResultFormat extends Option<string> {
  readonly flag: string
  textOf(results: CallResults): string
}
