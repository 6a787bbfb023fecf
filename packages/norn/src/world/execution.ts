/** The input and the report of an execution under the world: plain types, with units. */

import type { InjectedFault } from '../contract/execution.ts'
import type { FileChange } from '../contract/file-change.ts'
import type { Messaging } from '../contract/messaging.ts'
import type { Moment } from '../contract/observation.ts'
import type { Note, TraceEvent } from '../contract/trace.ts'
import type { Traffic } from '../contract/traffic.ts'
import type { ClockKind } from '../contract/wall-clock.ts'
import type { NetworkOptions, SlowOperations } from '../options/latency-ranges.ts'
import type { Leak } from './isolation/leaks.ts'
import type { FaultBudgets } from './loop/faults.ts'
import type { Hosts } from './network/host-records.ts'
import type { Commands } from './processes/commands.ts'
import type { Ending } from './realm/ending.ts'
import type { OriginsByLabel } from './trace/origin.ts'
import type { TaskOrder } from './trace/task-order.ts'

/** A program for the world to run. */
export interface Program<Loaded = unknown> {
  /** Instantiates the modules. Meanwhile nothing is delayed and no choice is drawn. */
  load(): Loaded | Promise<Loaded>
  /** The test itself. The execution ends when its result has settled and the loop has drained. */
  body(loaded: Loaded): unknown
  /** Stand-ins for the programs that it runs; none by default. */
  commands?(loaded: Loaded): Commands | undefined
  /** Whether the process goes on behind it, as that of a test runner does: then `exit` is not emitted. */
  isOfRunner?(): boolean
}

export interface Bounds {
  /** The bound on each latency, in microseconds of virtual time; 20,000 by default. */
  readonly maxLatencyUs: number
  /** Steps of the loop before the execution fails with no progress; 20,000 by default. */
  readonly maxSteps: number
  /** Virtual time before the execution fails with no progress, in microseconds; 24 h by default. */
  readonly maxVirtualUs: number
}

export const DEFAULT_BOUNDS: Bounds = { maxLatencyUs: 20_000, maxSteps: 20_000, maxVirtualUs: 24 * 3600 * 1e6 }

export interface ExecuteOptions {
  readonly bounds?: Bounds
  /** Host names that the world knows beside its own; none by default. */
  readonly hosts?: Hosts | undefined
  /** Latencies of the network and of operations; those of the bounds by default. */
  readonly network?: NetworkOptions | undefined
  readonly slow?: SlowOperations | undefined
  /** The faults to inject; none by default. */
  readonly faults?: FaultBudgets
  /** In which ways the clock may vary; in none by default. */
  readonly clock?: readonly ClockKind[] | undefined
  /** Where the wall clock starts, unless it may vary, in milliseconds since the epoch; by default at one instant. */
  readonly startMs?: number | undefined
  /** Whether what is written to a connection of this machine arrives whole, as Linux delivers it; false by default. */
  readonly wholeWrites?: boolean | undefined
  /** Called with each fault before the program observes it. */
  readonly onFault?: (fault: InjectedFault) => void
  /**
   * Captures where every operation was started: slow, for executions shown to a person; `steps`: only notes
   * what is beside the trace; false by default.
   */
  readonly explain?: boolean | 'steps'
  /** Called when the body has not settled, and does not get more steps. */
  readonly onStuck?: (() => void) | undefined
  /**
   * Restores shared objects at the end, which compares thousands of properties; true by default.
   */
  readonly restoreObjects?: boolean
}

export interface ExecutionReport {
  readonly ending: Ending
  /** The order of tasks; computed on call. */
  readonly order: () => TaskOrder
  /** When operations took effect and called back; computed on call. */
  readonly timeline: () => readonly Moment[]
  /**
   * The trace; computed on the first call. A function, because a getter in a literal makes the
   * object old to V8.
   */
  readonly trace: () => readonly TraceEvent[]
  /** What was noted beside the trace; empty unless explaining. */
  readonly notes: readonly Note[]
  /** What went over connections; only when explaining, and if there were any. */
  readonly traffic?: Traffic | undefined
  /** What the events did to files; only when explaining. */
  readonly fileChanges?: readonly FileChange[]
  /** What isolates did; only when explaining, and if there were several or messages. */
  readonly messaging?: Messaging | undefined
  /** The program's output, stdout and stderr together. */
  readonly output: string
  /**
   * Schedule points passed and virtual time elapsed, in microseconds, until the body settled; until
   * the end if it passed no point by then.
   */
  readonly points: number
  readonly durationUs: number
  /** The injected faults, in order, and the number of calls that could have met one. */
  readonly faults: readonly InjectedFault[]
  readonly faultPoints: number
  /** The options that name a host or an operation, and met it. */
  readonly matched: readonly string[]
  /** The number of causal chains. */
  readonly chains: number
  /** Where each step was started, by label; empty unless explaining. */
  readonly origins: OriginsByLabel
  /** Label of the step in which the error of a failure appeared; unknown unless explaining. */
  readonly failedIn: string | undefined
  /** What a passing execution left behind. */
  readonly leaks: readonly Leak[]
  /** Whether shared objects (the language's, builtins, globals) were changed and restored. */
  readonly changedObjects: boolean
}
