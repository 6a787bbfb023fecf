/** The events of a search. Plain data that crosses processes. */

import type { Divergence, ExecutionResult, LeakReport } from '../contract/execution.ts'
import type { InconclusiveReport } from '../contract/inconclusive.ts'
import type { InputPlan } from '../contract/plan.ts'
import type { CampaignSummary } from './campaign-summary.ts'
import type { DomainProgress, GuidedState, ShrinkSummary } from './domain.ts'
import type { Provenance } from './provenance.ts'

/** A failure, as found or as shrunk. */
export interface FoundFailure extends Provenance {
  readonly identity: string
  readonly result: ExecutionResult
  /** The execution, counted from 1, in which it was first seen. */
  readonly foundAt: number
  /** The seed of the campaign, which differs between workers. */
  readonly seed: number
  readonly shrinking: ShrinkSummary | undefined
  /** The result is that of the saved form, which is simpler than what this search made. */
  readonly isSaved?: true
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

export type SearchEvent =
  | ({
      readonly type: 'progress'
      readonly executions: number
      readonly shrinking: boolean
      readonly guided?: GuidedState
      /** The search so far; of `SearchOptions.interim`. */
      readonly interim?: CampaignSummary
    } & DomainProgress)
  /**
   * A new failure before shrinking; `input` is that of the plan, such as an example. `isSaved`: the
   * same failure was saved earlier, still fails, and is simpler.
   */
  | {
      readonly type: 'found'
      readonly failure: FoundFailure
      readonly input: InputPlan
      readonly isSaved?: true
    }
  /** The same failure after shrinking. */
  | { readonly type: 'shrunk'; readonly failure: FoundFailure; readonly input: InputPlan }
  | { readonly type: 'flaky'; readonly failure: FlakyFailure }
  /** The first inconclusive execution for this reason. */
  | { readonly type: 'inconclusive'; readonly execution: number; readonly report: InconclusiveReport }
  /** Something outlived a passing execution; reported once. */
  | { readonly type: 'leaked'; readonly execution: number; readonly report: LeakReport }
  /** A message about the search itself. */
  | { readonly type: 'remark'; readonly text: string }
  | { readonly type: 'health'; readonly warning: HealthWarning }
