/**
 * What the campaign's process and the process that runs executions say to each other. One request at a time; notices
 * come while a request is under way, its reply ends it.
 */

import type { ExecutionResult, Frame, LeakReport } from '../contract/execution.ts'
import type { InconclusiveReport } from '../contract/inconclusive.ts'
import type { FramesProgress, KeyFramesData } from '../contract/key-frames.ts'
import type { InputPlan, Plan } from '../contract/plan.ts'
import type { HealthWarning } from '../execution/health.ts'
import type { Property, PropertyOptions } from '../property/property.ts'
import type { CampaignSummary, FlakyFailure, FoundFailure } from '../search/campaign.ts'
import type { GuidedState, ShrinkOutcome } from '../search/domain.ts'
import type { Guide } from '../search/guide.ts'
import type { TraceEvent } from '../world/trace.ts'

/** What a process that runs executions is started with. */
export interface ChildConfiguration {
  /** Absolute path of the file of properties. */
  readonly file: string
  /** The project's root: paths are reported relative to it. */
  readonly root: string
  /** Module specifiers that stand for others. */
  readonly aliases: readonly (readonly [from: string, to: string])[]
  /** File that always holds the execution under way, so that a dead process loses no tape. */
  readonly flightRecorder: string
}

/** A property as declared, without what cannot leave its process. */
export interface ListedProperty {
  readonly name: string
  readonly mode: 'run' | 'skip' | 'only'
  readonly kind?: NonNullable<Property['kind']>
  readonly examples: number
  readonly inputs: readonly string[]
  readonly options: Omit<PropertyOptions, 'examples'>
  /** Why it is not to be run: a test of a framework that asserts no property. */
  readonly notRun?: string
}

export interface ExploreOptions {
  readonly seed: number
  readonly strategy: string
  readonly runs: number
  /** Milliseconds of real time; infinite if only runs count. */
  readonly timeMs: number
  readonly keepGoing: boolean
  readonly shrink: boolean
  /** Milliseconds of real time that shrinking a failure gets even where the time of the search is up; none unless set. */
  readonly shrinkMs?: number
  readonly skip: number
  /** What guides the search; nothing unless set. */
  readonly guide?: Guide
  /** Packages that are observed beside the user's own code. */
  readonly cover?: readonly string[]
  /** Keep the corpus of a guided search on disk, below the project's root, and begin with what is there. */
  readonly corpus?: { readonly root: string; readonly norn: string }
  /** Key frames of a cluster, out of files: the search goes on until they and the cluster's own are reached. */
  readonly frames?: readonly KeyFramesData[]
  /** Whether no other worker uses that corpus; true unless set. */
  readonly alone?: boolean
}

export type Request =
  | { readonly type: 'list' }
  | { readonly type: 'explore'; readonly property: ListedProperty; readonly options: ExploreOptions }
  | {
      readonly type: 'execute'
      readonly property: ListedProperty
      readonly plan: Plan
      readonly explain: boolean
      /** Open the debugger, wait for it, and stop where the body begins. */
      readonly inspect?: boolean
      /** Propose key frames from what a cluster does. */
      readonly propose?: boolean
      /** File to which each choice is written as it is drawn. */
      readonly journal?: string
    }
  | { readonly type: 'shrink'; readonly property: ListedProperty; readonly plan: Plan; readonly timeMs: number }
  /** Ends the exploring or shrinking that is under way after the execution it is at. Has no reply of its own. */
  | { readonly type: 'stop' }

/** What a person is shown of an execution. */
export interface Explanation {
  readonly trace: readonly TraceEvent[]
  /** Where each operation was started, by the label of its step. */
  readonly origins: ReadonlyMap<string, Frame>
}

export type Notice =
  | {
      readonly type: 'progress'
      readonly executions: number
      readonly shrinking: boolean
      readonly guided?: GuidedState
      /** Key frames that were reached, of those that are to be. */
      readonly frames?: FramesProgress
    }
  | { readonly type: 'remark'; readonly text: string }
  /** The input is the plan's: which example it was cannot be told from the failure. */
  | { readonly type: 'found'; readonly failure: FoundFailure; readonly input: InputPlan }
  | { readonly type: 'shrunk'; readonly failure: FoundFailure; readonly input: InputPlan }
  | { readonly type: 'flaky'; readonly failure: FlakyFailure }
  | { readonly type: 'voided'; readonly execution: number; readonly report: InconclusiveReport }
  /** Something outlived an execution that passed. */
  | { readonly type: 'leaked'; readonly execution: number; readonly report: LeakReport }
  | { readonly type: 'health'; readonly warning: HealthWarning }

export type Reply =
  | { readonly type: 'listed'; readonly properties: readonly ListedProperty[] }
  | { readonly type: 'explored'; readonly summary: CampaignSummary }
  | { readonly type: 'executed'; readonly result: ExecutionResult; readonly explanation?: Explanation }
  | { readonly type: 'shrunken'; readonly first: ExecutionResult; readonly outcome?: ShrinkOutcome }
  /** The request could not be carried out. */
  | { readonly type: 'refused'; readonly why: RefusalReason; readonly message: string; readonly stack: string }

/** The file of properties does not load; it loses control while it loads; norn itself is wrong. */
export type RefusalReason = 'loading' | 'void' | 'internal'

/** What the flight recorder holds. */
export interface FlightRecord {
  /** Executions begun by this process. */
  readonly sequence: number
  /** The campaign's count of executions, at the last one it planned. */
  readonly execution: number
  readonly plan: Plan
}
