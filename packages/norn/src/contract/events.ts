/**
 * What happens to a property in a session, in order: the only union of events. Some come from the
 * process that searches, some from the session. Layers between them and the reporters add to an
 * event only where it is from (`Searched` in session/reporter.ts), and to a failure what they learnt
 * about it. Plain data.
 */
import type { CampaignSummary, DomainProgress, GuidedState, ShrinkSummary } from './campaign-summary.ts'
import type { Divergence, ExecutionResult, LeakReport } from './execution.ts'
import type { Explanation } from './explanation.ts'
import type { InconclusiveReport } from './inconclusive.ts'
import type { ExecutionName, InputPlan, Plan } from './plan.ts'
import type { KeptFailure, SavedFailure } from './saved-failure.ts'
import type { Doubt, Verdict } from './verdict.ts'

/** Where the choices of an execution came from. */
export interface Provenance {
  /** The strategy that proposed the choices. */
  readonly strategy: string
  /** The name of the execution, if it is a function of a seed alone. */
  readonly name: ExecutionName | undefined
}

/** A failure: as found, as shrunk, then as a fresh process showed it. */
export interface FoundFailure extends Provenance {
  readonly identity: string
  readonly result: ExecutionResult
  /** The execution, counted from 1, in which it was first seen. */
  readonly foundAt: number
  /** The seed of the campaign, which differs between workers. */
  readonly seed: number
  /** Where its input came from, such as an example. */
  readonly planned: InputPlan
  readonly shrinking: ShrinkSummary | undefined
  /** The result is that of the saved form, which is simpler than what this search made. */
  readonly isSaved?: true
  /** Undefined before it ran in a fresh process. */
  readonly confirmation?: Confirmation
  /** Undefined before it was saved. */
  readonly file?: {
    readonly saved: SavedFailure
    /** Relative to the root; undefined if it could not be saved. */
    readonly path: string | undefined
  }
}

interface Confirmation {
  /** The plan that replays the failure. */
  readonly plan: Plan
  /** What a fresh process showed; undefined where the failure ends its process. */
  readonly explanation: Explanation | undefined
  /** Whether a fresh process showed the same failure, with the same trace but for open mode. */
  readonly confirmed: boolean
  /** In open mode: how often a fresh process showed it. */
  readonly reproduced?: Reproduced
}

/** Executions that failed in the same way, of those that ran. */
export interface Reproduced {
  readonly times: number
  readonly of: number
  /** The names of the open addresses. */
  readonly open: string
}

/** A saved failure that was run again. */
export interface TriedFailure extends KeptFailure {
  readonly result: ExecutionResult
  readonly explanation: Explanation | undefined
  /** Whether the trace is the same, step by step. */
  readonly exact: boolean
  /** In open mode: how often it failed again. */
  readonly reproduced?: Reproduced
}

/** A failure that did not repeat. */
export interface FlakyFailure {
  readonly foundAt: number
  readonly first: ExecutionResult
  readonly second: ExecutionResult
  /** Where two further runs differed, if they did. */
  readonly divergence?: Divergence
}

/** A problem that limits what the executions of a property can find. */
export interface HealthWarning {
  readonly check: 'native addons' | 'discards' | 'filters' | 'large inputs' | 'nothing asynchronous' | 'slow generation'
  /** One line: the problem, then what to do. */
  readonly message: string
  /** It depends on real time, so it may differ between runs with the same seed. */
  readonly timed?: true
  /** Information, not a problem. */
  readonly informative?: true
}

/** What an execution left to report. */
export interface Seen<Report> {
  readonly execution: number
  readonly report: Report
}

/** What a search came to. */
export interface SearchResult {
  readonly isFailed: boolean
  /** Why it is not a pass if it did not fail, the weightiest first. */
  readonly doubts: readonly Doubt[]
  readonly summary: CampaignSummary
  readonly findings: readonly FoundFailure[]
  readonly flaky: readonly FlakyFailure[]
  /** The first inconclusive execution for each reason. */
  readonly inconclusive: readonly Seen<InconclusiveReport>[]
  readonly leaks: readonly Seen<LeakReport>[]
  readonly warnings: readonly HealthWarning[]
  /** Real time. */
  readonly timeMs: number
}

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

export type SessionEvent =
  /** The saved failures were run; `problems`: what is wrong with files that may belong to the property. */
  | { readonly type: 'tried'; readonly tried: readonly TriedFailure[]; readonly problems: readonly string[] }
  | { readonly type: 'searching' }
  | ({
      readonly type: 'progress'
      readonly executions: number
      readonly shrinking: boolean
      readonly guided?: GuidedState
      /** The search so far; of `SearchOptions.interim`. */
      readonly interim?: CampaignSummary | undefined
      /** Real time since the search began, in milliseconds; added by the session. */
      readonly elapsedMs?: number
    } & DomainProgress)
  /** Before shrinking. `isSaved`: the failure was saved earlier, still fails so, and is simpler. */
  | { readonly type: 'found'; readonly failure: FoundFailure; readonly isSaved?: true }
  | { readonly type: 'shrunk' | 'confirmed'; readonly failure: FoundFailure; readonly isSaved?: never }
  | { readonly type: 'flaky'; readonly failure: FlakyFailure }
  /** The first inconclusive execution for this reason; it may come again, with its place. */
  | ({ readonly type: 'inconclusive' } & Seen<InconclusiveReport>)
  /** Something outlived a passing execution; reported once. */
  | ({ readonly type: 'leaked' } & Seen<LeakReport>)
  /** A message about the search itself. */
  | { readonly type: 'remark'; readonly text: string }
  | { readonly type: 'health'; readonly warning: HealthWarning }
  /** The search ended; the verdict is that of the session. */
  | { readonly type: 'searched'; readonly search: SearchResult; readonly verdict: Verdict }
  | { readonly type: 'only'; readonly only: OnlyExecution }
  | { readonly type: 'ended'; readonly verdict: Verdict }

/** Receives events. */
export type Report = (event: SessionEvent) => void
