/**
 * What the world is given to run, and what it gives back: plain types, with units.
 */
import type { InjectedFault } from '../contract/execution.ts'
import type { Moment } from '../contract/observation.ts'
import type { Ending } from './ending.ts'
import type { FaultBudgets } from './faults.ts'
import type { Leak } from './isolation/leaks.ts'
import type { OriginsByLabel } from './origin.ts'
import type { TaskOrder } from './task-order.ts'
import type { TraceEvent } from './trace.ts'

/** A program as the world runs it. */
export interface Program<Loaded = unknown> {
  /** Instantiates the modules. Nothing is late while it runs, and no choice is drawn. */
  load(): Loaded | Promise<Loaded>
  /** What is tested; the execution is over when what it gives back has settled and the loop has drained. */
  body(loaded: Loaded): unknown
}

export interface Bounds {
  /** How late anything can be, in microseconds of virtual time. */
  readonly maxLatencyUs: number
  /** Steps of the loop before an execution counts as making no progress. */
  readonly maxSteps: number
  /** Virtual time before an execution counts as making no progress, in microseconds. */
  readonly maxVirtualUs: number
}

export const DEFAULT_BOUNDS: Bounds = { maxLatencyUs: 20_000, maxSteps: 20_000, maxVirtualUs: 24 * 3600 * 1e6 }

export interface ExecuteOptions {
  readonly bounds?: Bounds
  /** How many faults it may have; none unless set. */
  readonly faults?: FaultBudgets
  /** Told of each fault before the program meets it. */
  readonly onFault?: (fault: InjectedFault) => void
  /** Capture where every operation was started: slow, for the execution that is shown to a person. */
  readonly explain?: boolean
  /** Put back, at the end, also what is only found by looking through thousands of properties; true unless set. */
  readonly restoreObjects?: boolean
}

export interface ExecutionReport {
  readonly ending: Ending
  /** Which task ran after which; worked out when it is asked for. */
  readonly order: () => TaskOrder
  /** When things took effect and called back; worked out when it is asked for. */
  readonly timeline: () => readonly Moment[]
  /** The trace, worked out when it is first asked for. No getter: one of a literal is an old object to V8 from the start. */
  readonly trace: () => readonly TraceEvent[]
  /** What the program printed, to stdout and stderr together. */
  readonly output: string
  /**
   * Schedule points passed, and virtual time taken in microseconds, before the body settled; to the end, if it passed
   * none by then.
   */
  readonly points: number
  readonly durationUs: number
  /** The faults that were injected, in order; and how often there could have been one, over the whole execution. */
  readonly faults: readonly InjectedFault[]
  readonly faultPoints: number
  /** Causal chains, over the whole execution. */
  readonly chains: number
  /** Where each step was started, by label; only when explaining. */
  readonly origins: OriginsByLabel
  /** What it left behind, if it passed. */
  readonly leaks: readonly Leak[]
  /** Whether objects of the language, of builtins or globals were found changed, and put back. */
  readonly changedObjects: boolean
}
