/**
 * The result of an execution, as the campaign sees it. An `Executor` runs plans; behind it stands a
 * Node program under the world, or a cluster. Results are plain data: they cross process boundaries
 * and are stored.
 */
import type { Choices, TapeRecord } from './choices.ts'
import type { ClusterRecord } from './cluster-record.ts'
import type { Divergence, Frame } from './divergence.ts'
import type { InconclusiveReport } from './inconclusive.ts'
import type { Observation } from './observation.ts'
import type { Plan, SavedInput } from './plan.ts'

export type { Divergence, DivergentStep, Frame } from './divergence.ts'

/** A fault that was injected. */
export interface InjectedFault {
  /** The choice of the fault lane that injected it. */
  readonly label: string
  /** The system call, in the words of the API: `write`, `open`, ... */
  readonly operation: string
  /** What it works on, relative to the project's root. */
  readonly resource: string
  /** An error code, or `3 of 10 bytes`. */
  readonly fault: string
}

/** How an execution failed. Part of fingerprints and of failure files, so a name never changes. */
export const FAILURE_KINDS = [
  // The body threw or rejected: an assertion, usually.
  'error',
  'uncaught exception',
  'unhandled rejection',
  // The body never settled, and nothing was left to run.
  'deadlock',
  // The execution reached a bound on steps, virtual time or output.
  'no progress',
  // The program called process.exit or process.abort.
  'exit',
  'abort',
  // The modules could not be loaded.
  'loading',
  // A cluster violated a liveness property.
  'liveness',
  // The execution ended its worker process.
  'hang',
  'out of memory',
  'crash',
] as const

export type FailureKind = (typeof FAILURE_KINDS)[number]

/** What went wrong in one execution. */
export interface FailureReport {
  readonly kind: FailureKind
  readonly errorName: string
  readonly message: string
  /** The stack as a person reads it. */
  readonly stack: string
  /** Frames in the user's files, innermost first. */
  readonly frames: readonly Frame[]
}

/** Something that an execution which passed left behind; a real process would keep it. */
export interface LeakReport {
  /** `timer`, `file`, `listener`, ... */
  readonly kind: string
  readonly what: string
  /** Where it came from, if known: only where it was asked for. */
  readonly frames: readonly Frame[]
}

export interface ExecutionResult {
  readonly verdict: 'passed' | 'failed' | 'void'
  /**
   * It passed, but its input was not what the property requires (`fc.pre`), so that says nothing.
   */
  readonly discarded?: boolean
  readonly failure?: FailureReport
  readonly voided?: InconclusiveReport
  /** It failed after waiting in real time, some seconds; so would every repetition. */
  readonly takesRealTime?: boolean
  /**
   * Every choice drawn, with its spans where they are known; unless it passes and no details were
   * asked for.
   */
  readonly choices?: Choices & Partial<Pick<TapeRecord, 'spans'>>
  /** The input in serial form, if it has one; unless it passes and no details were asked for. */
  readonly input?: SavedInput
  /** The input as a person reads it. */
  readonly inputText?: string
  /** Identifies the trace; unless it passes and no details were asked for. */
  readonly traceHash?: string
  /** Choices drawn in the lane of inputs, and schedule points passed before the body settled. */
  readonly inputChoices: number
  /** Choices of that lane that the body drew while it ran; absent where it drew none. */
  readonly bodyChoices?: number
  readonly points: number
  readonly chains: number
  readonly durationUs: number
  /**
   * Operations that could have met a fault, and the faults that were injected; absent where there
   * was neither.
   */
  readonly faultPoints?: number
  readonly faults?: readonly InjectedFault[]
  /**
   * Of recorded choices that are not natural: how many there were, and how many the execution drew
   * again.
   */
  readonly following?: { readonly recorded: number; readonly followed: number }
  /** What it left behind, if it passed and there is something. */
  readonly leaks?: readonly LeakReport[]
  /** What the program printed; unless it passes and no details were asked for. */
  readonly output?: string
  /** Labels of the notes that the body passed, if any. */
  readonly notes?: readonly string[]
  /** What happened in a cluster; unless it passes and no details were asked for. */
  readonly cluster?: ClusterRecord
  /** What was to be observed. Never leaves its process. */
  readonly observation?: Observation
}

export interface Executor {
  /** Runs one execution. Never throws for what the program under test does. */
  execute(plan: Plan): Promise<ExecutionResult>
  /**
   * Runs one plan twice. Gives the result of the first run, and where the second parted from it, if
   * it did.
   */
  executeTwice(plan: Plan): Promise<RepeatedResult>
}

export interface RepeatedResult {
  readonly result: ExecutionResult
  readonly divergence?: Divergence
}
