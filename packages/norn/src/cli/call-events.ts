/**
 * What happens in a call of `norn fuzz`, in order, for all that report it: the terminal, and the page
 * of `norn ui`.
 */
import type { ExecutionResult } from '../contract/execution.ts'
import type { Verdict } from '../contract/verdict.ts'
import type { Guide } from '../options/guide.ts'
import type { Explanation } from '../process/protocol.ts'
import type { DiscoveryCurve } from '../report/discovery-curve.ts'
import type { Progress } from '../report/progress.ts'
import type { SearchFacts } from '../report/search-facts.ts'
import type { SearchResult, SessionEvent } from '../session/session.ts'
import type { Target, UnloadedFile } from '../session/targets.ts'
import type { SearchRecord } from '../storage/search-records.ts'
import type { ExitStatus } from './exit-status.ts'

/** The execution that `--execution` or `--bytes` names. */
export interface OnlyExecution {
  readonly result: ExecutionResult
  readonly explanation: Explanation | undefined
  /** Its name, in the report of a failure and in a sentence. */
  readonly found: string
  readonly what: string
  /** Its name, for JSON. */
  readonly fields: Record<string, unknown>
}

/** What a property is searched with. */
export interface Chosen {
  readonly seed: number
  /** As a flag or the configuration names it. */
  readonly strategy: string
  readonly guide: Guide
  /** Whether real time limits the search. */
  readonly isTimed: boolean
}

/** The end of a call. */
export interface CallEnd {
  readonly status: ExitStatus
  /** Of the properties that were run. */
  readonly verdicts: readonly Verdict[]
  /** Number of properties to run; `why` says why there are none. */
  readonly properties: number
  readonly why: string
  readonly unloaded: readonly UnloadedFile[]
  readonly interrupted: boolean
  /** The signal that interrupted it. */
  readonly signal?: NodeJS.Signals | undefined
  readonly timeMs: number
}

export type CallEvent =
  | { readonly type: 'unloaded'; readonly unloaded: UnloadedFile }
  /** Tests that norn leaves to their runner. */
  | { readonly type: 'not run'; readonly targets: readonly Target[] }
  /** The properties that the call runs, in order. */
  | { readonly type: 'planned'; readonly targets: readonly Target[] }
  | {
      readonly type: 'session'
      readonly target: Target
      readonly event: Exclude<SessionEvent, { type: 'progress' }>
      readonly chosen: Chosen
    }
  /** The curve is one object for a search, which grows. Facts come now and then, for the page. */
  | {
      readonly type: 'progress'
      readonly target: Target
      readonly chosen: Chosen
      readonly progress: Progress
      readonly curve: DiscoveryCurve
      readonly facts?: SearchFacts | undefined
    }
  | {
      readonly type: 'searched'
      readonly target: Target
      readonly search: SearchResult
      readonly chosen: Chosen
      readonly record: SearchRecord
    }
  | { readonly type: 'only'; readonly target: Target; readonly only: OnlyExecution }
  /** A property was run. */
  | { readonly type: 'ended'; readonly target: Target; readonly verdict: Verdict }
  | ({ readonly type: 'end' } & CallEnd)

export type ReportCall = (event: CallEvent) => void
