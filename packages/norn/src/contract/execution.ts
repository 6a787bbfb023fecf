/**
 * The result of an execution, and the `Executor` that runs plans. Results are plain data: they
 * cross process boundaries and are stored. Only an observation never leaves its process.
 */
import type { Choices, TapeRecord } from './choices.ts'
import type { ClusterRecord } from './cluster-record.ts'
import { DATABASE_FAULT_KINDS, type DatabaseFaultKind } from './database-faults.ts'
import type { Divergence, Frame } from './divergence.ts'
import type { InconclusiveReport } from './inconclusive.ts'
import { NETWORK_FAULTS, type NetworkFaultKind } from './network-faults.ts'
import type { Observation } from './observation.ts'
import { type PendingWait, waitingFrames } from './pending-wait.ts'
import type { Plan, SavedInput } from './plan.ts'

export type { Divergence, DivergentStep, Frame } from './divergence.ts'

/** The kinds of faults of a program, each with a budget. */
export type FaultKind = 'fs' | NetworkFaultKind | DatabaseFaultKind

export const FAULT_KINDS = ['fs', ...Object.keys(NETWORK_FAULTS), ...DATABASE_FAULT_KINDS] as readonly FaultKind[]

/** A fault that was injected. */
export interface InjectedFault {
  /** Absent in clusters, and in failures saved before there was a network. */
  readonly kind?: FaultKind
  /** The choice of the fault lane that injected it. */
  readonly label: string
  /** The API's name of the system call: `write`, `open`, ... */
  readonly operation: string
  /** The file, relative to the project's root. */
  readonly resource: string
  /**
   * An error code; `3 of 10 bytes` for a transfer cut short; else what happened: `lost`, `reset after
   * 3 of 10 bytes`.
   */
  readonly fault: string
}

/** What a fault did: codes begin with a capital, what happened with a small letter. */
export function formOf(fault: string): 'error' | 'short' | 'event' {
  return /^\d/.test(fault) ? 'short' : /^[a-z]/.test(fault) ? 'event' : 'error'
}

/** The kind of a fault in counts: `short`, `ENOSPC`, `reset`, `fails over`. */
export function faultName(fault: string): string {
  return formOf(fault) === 'short' ? 'short' : /^(?:fails over|\S+)/.exec(fault)![0]
}

/**
 * How an execution failed. Fingerprints and failure files contain these names: never rename one.
 */
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

export interface FailureReport {
  readonly kind: FailureKind
  readonly errorName: string
  readonly message: string
  /** With positions in the user's source. */
  readonly stack: string
  /** Frames in the user's files, innermost first. */
  readonly frames: readonly Frame[]
  /**
   * Of an explained failure without frames: those that started the operation that failed. No part
   * of the fingerprint.
   */
  readonly startedAt?: readonly Frame[]
  /** Of an explained body that never settled: its waits, from the body on. No part of the fingerprint. */
  readonly waits?: readonly PendingWait[]
}

/** Whether a frame is in the project's own code. */
export function isOwn({ file }: Frame): boolean {
  return !file.includes('node_modules/')
}

/** The frames to show of a failure: its own, those that started the operation that failed, or those that wait. */
export function placesOf({
  frames,
  startedAt = [],
  waits = [],
}: Pick<FailureReport, 'frames' | 'startedAt' | 'waits'>): readonly Frame[] {
  if (frames.length > 0) return frames
  return startedAt.length > 0 ? startedAt : waitingFrames(waits)
}

/** Something that a passing execution left behind, and a real process would keep. */
export interface LeakReport {
  /** `timer`, `file`, `listener`, ... */
  readonly kind: string
  readonly what: string
  /** Where it was created; only where requested and known. */
  readonly frames: readonly Frame[]
}

/** How the tests of an execution went: names, in the order in which they ended. */
export interface TestsRun {
  /** Those that failed; the first, unless all were asked for. */
  readonly failed: readonly string[]
  /** Those that passed after a failed attempt, which their author allows. */
  readonly retried: readonly string[]
  /** Those that skipped themselves. */
  readonly skipped: readonly string[]
  /** The test that was under way last; undefined if none began. */
  readonly last: string | undefined
  /** The first that failed took longer than its timeout. */
  readonly isLate?: true
}

export interface ExecutionResult {
  readonly verdict: 'passed' | 'failed' | 'void'
  /** The property rejected the input (`fc.pre`), so a pass means nothing. */
  readonly discarded?: boolean
  readonly failure?: FailureReport
  readonly voided?: InconclusiveReport
  /** It failed after seconds of real time, and so would every repetition. */
  readonly takesRealTime?: boolean
  /**
   * Every choice drawn, with its spans if known. Absent if it passed and the plan is not
   * `detailed`.
   */
  readonly choices?: Choices & Partial<Pick<TapeRecord, 'spans'>>
  /** The input in serial form, if it has one. Absent like `choices`. */
  readonly input?: SavedInput
  /** The input for reports. */
  readonly inputText?: string
  /** Equal for equal traces. Absent like `choices`. */
  readonly traceHash?: string
  /** Choices drawn in the input lane. */
  readonly inputChoices: number
  /** Choices of that lane that the body drew; absent if it drew none. */
  readonly bodyChoices?: number
  /** Schedule points passed before the body settled. */
  readonly points: number
  /** Causal chains. */
  readonly chains: number
  /** Virtual time, in microseconds. */
  readonly durationUs: number
  /** Operations that could have met a fault; absent if none. */
  readonly faultPoints?: number
  /** Faults injected; absent if none. */
  readonly faults?: readonly InjectedFault[]
  /** Options that name a host or an operation, and met it; absent if none. */
  readonly matched?: readonly string[]
  /** Recorded choices that are not the simplest, and how many of them the execution drew. */
  readonly following?: { readonly recorded: number; readonly followed: number }
  /** Absent if it failed or left nothing behind. */
  readonly leaks?: readonly LeakReport[]
  /** What the program printed. Absent like `choices`. */
  readonly output?: string
  /** Labels of the notes reached, if any. */
  readonly notes?: readonly string[]
  /** Of an execution of ordinary tests. */
  readonly tests?: TestsRun
  /** The record of a cluster. Absent like `choices`. */
  readonly cluster?: ClusterRecord
  /** What the plan asked to observe. */
  readonly observation?: Observation
}

export interface Executor {
  /** Runs one execution. Never throws for what the program under test does. */
  execute(plan: Plan): Promise<ExecutionResult>
  /**
   * Runs a plan twice: the result of the first run, and where the second run differed, if it did.
   */
  executeTwice(plan: Plan): Promise<RepeatedResult>
}

export interface RepeatedResult {
  readonly result: ExecutionResult
  readonly divergence?: Divergence
}
