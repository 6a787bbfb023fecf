/** What a report shows of an execution beside its result: taken only when explaining. */
import type { Choice, Lane } from './choice.ts'
import type { ClusterRecord } from './cluster-record.ts'
import type { ExecutionResult, Frame } from './execution.ts'
import type { FileChange } from './file-change.ts'
import type { Messaging } from './messaging.ts'
import type { Plan } from './plan.ts'
import type { Note, TraceEvent } from './trace.ts'
import type { Traffic } from './traffic.ts'

/** What a report shows of an execution. */
export interface Explanation extends ExplainedSteps {
  /** The nearest passing execution of a failure, where one was looked for and found. */
  readonly nearest?: PassingExecution
  /** The order of two steps that decides, where one was looked for and found. */
  readonly deciding?: DecidingOrder
  /** Executions of the same input with other delays, where that was looked for. */
  readonly around?: readonly Sample[]
}

/** An execution, and how it ended: in another way than the failing one counts against what it shows. */
export interface Sample {
  readonly traced: Pick<ExplainedSteps, 'trace' | 'notes' | 'messaging'>
  readonly ended: 'passed' | 'failed' | 'otherwise'
}

/**
 * In all executions that were tried around the failing one, it fails in the same way if the first steps come before
 * the second ones, and passes otherwise: one each, or two of two tasks that pass one after the other.
 */
export interface DecidingOrder {
  readonly first: readonly DecidingStep[]
  readonly second: readonly DecidingStep[]
  /** A step that has to come before the first ones too, for it to fail. */
  readonly after?: readonly DecidingStep[]
  /** How many failed, and how many passed. */
  readonly failed: number
  readonly passed: number
  /** What their input has instead, where it is not the one of the failure. */
  readonly inputText?: string
}

/** A step, and an execution that has it. */
export interface DecidingStep {
  readonly step: TraceEvent
  readonly execution: ExplainedSteps
}

/** An execution that passes, and differs from a failing one by one choice. */
export interface PassingExecution extends ExplainedSteps {
  /** The choice as the failing execution drew it, and its value here. */
  readonly change: { readonly lane: Lane; readonly choice: Choice; readonly value: number | bigint }
  readonly inputText: string
}

/** A passing execution of a cluster: it lacks one departure from the default schedule. */
export interface PassingCluster {
  /** The step that it has by default instead. */
  readonly dropped: { readonly step: number; readonly text: string }
  readonly record: ClusterRecord
  /** The index of the first entry of the log at which the two differ, in both. */
  readonly parting: number
}

export interface Explained {
  readonly result: ExecutionResult
  /** Undefined if the execution ended its process; the worker then takes no more requests. */
  readonly explanation: Explanation | undefined
}

/** Attempts at one property; undefined from when its process is lost, or time is up. */
export interface Attempting {
  /** Far cheaper than to explain, as most attempts are of no use. */
  execute(plan: Plan): Promise<ExecutionResult | undefined>
  /** Not with what a body waits for that never settles. */
  explain(plan: Plan): Promise<Explained | undefined>
  /** Only the trace, its notes and messages: little more than to execute. */
  steps(plan: Plan): Promise<Explained | undefined>
}

/** Where an operation was started. */
export interface StartingFrame extends Frame {
  /** The frames that called it, innermost first, up to a bound. */
  readonly callers?: readonly Frame[]
}

interface ExplainedSteps {
  readonly trace: readonly TraceEvent[]
  readonly notes: readonly Note[]
  /** What went over connections, if there were any. */
  readonly traffic?: Traffic | undefined
  /** What events did to files. */
  readonly fileChanges?: readonly FileChange[]
  /** What threads and child processes did, and messages between ports, if there were any. */
  readonly messaging?: Messaging | undefined
  /** Where each operation was started, by the label of its step; of each note by its place. */
  readonly origins: ReadonlyMap<string, StartingFrame>
}
