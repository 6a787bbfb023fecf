/** What `norn flaky` says of a test. Plain data: it is kept between calls. */
import type { FoundFailure } from '../../contract/events.ts'
import type { FailureReport } from '../../contract/execution.ts'
import type { InconclusiveReport } from '../../contract/inconclusive.ts'
import type { TestVerdict } from '../../contract/verdict.ts'

/** In how many of the tried executions a test passes that fails under the default schedule. */
export interface PassesUnless {
  /** What they depart in from the default schedule. The runner meets the first two in any of its runs. */
  readonly departure: 'seed' | 'start of the clock' | 'delays'
  readonly passed: number
  readonly tried: number
}

export interface TestReport {
  /** Relative to the root. */
  readonly file: string
  readonly name: string
  /** Where the file declares it, from 1. */
  readonly line: number
  readonly column: number
  readonly verdict: TestVerdict
  /** Executions so far, and those of them that failed. */
  readonly executions: number
  readonly failed: number
  /** Schedule points and chains of one execution, at most. */
  readonly points: number
  readonly chains: number
  /** The tests before it that it needs; of one that fails behind others, those others. */
  readonly needs?: readonly string[]
  /** It passes only on a retry that its author allows. */
  readonly retried?: true
  /** It takes longer than its timeout where so many operations are late together; shrinking left no fewer. */
  readonly late?: number
  /** It fails under the default schedule, but not under others that depart in one thing. */
  readonly unless?: PassesUnless
  /** How it fails under the default schedule. */
  readonly failure?: FailureReport
  readonly inconclusive?: InconclusiveReport
}

/** A flaky test and how it fails, once for each way. */
export interface FlakyTest {
  readonly report: TestReport
  readonly findings: readonly FoundFailure[]
}

/** What is known of a test before it ran. */
export const NOTHING_RUN = { executions: 0, failed: 0, points: 0, chains: 0 } as const
