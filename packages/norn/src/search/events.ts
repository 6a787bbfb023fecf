/**
 * What a search reports while it runs, from the campaign through its process to whoever reports it
 * to a person.
 */

import type { Divergence, ExecutionResult, LeakReport } from '../contract/execution.ts'
import type { InconclusiveReport } from '../contract/inconclusive.ts'
import type { FramesProgress } from '../contract/key-frames.ts'
import type { InputPlan } from '../contract/plan.ts'
import type { GuidedState, ShrinkSummary } from './domain.ts'
import type { Provenance } from './provenance.ts'

/** A failure, as found or as shrunk. */
export interface FoundFailure extends Provenance {
  readonly identity: string
  readonly result: ExecutionResult
  /** The execution, counted from 1, in which it was first seen. */
  readonly foundAt: number
  /** Of the campaign that found it: each of several workers has its own. */
  readonly seed: number
  readonly shrinking: ShrinkSummary | undefined
}

/** A failure that its own plan did not show again. */
export interface FlakyFailure {
  readonly foundAt: number
  readonly first: ExecutionResult
  readonly second: ExecutionResult
  /** Where two more runs of it differed, if they did. */
  readonly divergence?: Divergence
}

/** Something that keeps the executions of a property from saying as much as they could. */
export interface HealthWarning {
  readonly check: 'discards' | 'filters' | 'large inputs' | 'nothing asynchronous' | 'slow generation'
  /** One line: what was seen, and what to do. */
  readonly message: string
  /** Real time had a say in it: two runs with the same seed may differ. */
  readonly timed?: true
  /** Nothing is wrong; it is said because it may surprise. */
  readonly informative?: true
}

export type SearchEvent =
  | {
      readonly type: 'progress'
      readonly executions: number
      readonly shrinking: boolean
      readonly guided?: GuidedState
      /** Key frames reached, of those wanted. */
      readonly frames?: FramesProgress
    }
  /** A new failure, not shrunk yet; `input` is the plan's, which may be an example. */
  | { readonly type: 'found'; readonly failure: FoundFailure; readonly input: InputPlan }
  /** The same failure, shrunk as far as the budget allowed. */
  | { readonly type: 'shrunk'; readonly failure: FoundFailure; readonly input: InputPlan }
  | { readonly type: 'flaky'; readonly failure: FlakyFailure }
  /** The first execution that is inconclusive for this reason. */
  | { readonly type: 'inconclusive'; readonly execution: number; readonly report: InconclusiveReport }
  /** Something outlived an execution that passed; each once. */
  | { readonly type: 'leaked'; readonly execution: number; readonly report: LeakReport }
  /** A sentence about the search itself. */
  | { readonly type: 'remark'; readonly text: string }
  | { readonly type: 'health'; readonly warning: HealthWarning }
