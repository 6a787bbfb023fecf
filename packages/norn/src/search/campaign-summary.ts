/** What a campaign counted, at its end or so far. Plain data that crosses processes. */
import type { FaultKind } from '../contract/execution.ts'
import type { DomainSummary, GuidedState } from './domain.ts'
import type { StopTally } from './stop-estimate.ts'

/** How executions ended. A flaky failure is also a failed execution. */
export interface ExecutionCounts {
  readonly passed: number
  /** The property rejected the input (`fc.pre`). */
  readonly discarded: number
  readonly failed: number
  readonly voided: number
  readonly flaky: number
}

export interface CampaignSummary extends DomainSummary, ExecutionCounts {
  readonly executions: number
  readonly distinctFailures: number
  /** Executions with a failure that was reported before the search; absent if there was none. */
  readonly failedAsBefore?: number
  /** Faults injected in all executions. */
  readonly faults: number
  /** Maxima of one execution: operations that could have met a fault, schedule points, chains. */
  readonly maxFaultPoints: number
  readonly maxPoints: number
  readonly maxChains: number
  /** Labels of the notes reached. */
  readonly notes: readonly string[]
  /** Labels of the required notes not reached. */
  readonly missed: readonly string[]
  /** Options that name a host or an operation that no execution had; absent if none. */
  readonly unmatched?: readonly string[]
  /** Kinds of faults that are allowed, of which none was injected; absent if there is no such kind. */
  readonly uninjected?: readonly FaultKind[]
  /** Undefined without guidance. */
  readonly guided?: GuidedState
  /** The counts for the estimate of the residual risk. */
  readonly stop: StopTally
}

/** Whether the property rejected every input. */
export function isAllDiscarded({ executions, discarded }: CampaignSummary): boolean {
  return executions > 0 && discarded === executions
}
