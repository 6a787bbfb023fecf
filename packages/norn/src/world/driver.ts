/**
 * Drives a program on the loop: calls it from the top, drains ticks and microtasks, turns the loop
 * until the call has settled, then runs the process to its end as Node does.
 */
import process from 'node:process'
import { emitExit } from './isolates/isolate-end.ts'
import type { React } from './isolation/promise-hooks.ts'
import { type Arrival, type AsyncHandles, isolateOf } from './loop/async-handles.ts'
import type { Step } from './loop/causality.ts'
import {
  alive,
  begin,
  type DriveEnd,
  drive,
  type LoopHost,
  type Others,
  quiet,
  type RealEvents,
  type TimerPhases,
} from './loop/loop.ts'
import type { Descriptors } from './loop/poll-descriptors.ts'
import type { PoolTask } from './loop/pool.ts'
import type { OperationParts, Operations } from './operations.ts'
import { callFromTop, drainTicks } from './realm/callback-scope.ts'
import { isTermination, Termination } from './realm/ending.ts'
import { type Settlement, settlementOf } from './settlement.ts'
import type { Outcome } from './verdict.ts'

/** Steps of the loop after the body has settled, so that late errors surface. */
const DRAIN_STEPS = 1000

/** Virtual time for which what is left open may wait for a timeout. */
const WAIT_US = 120e6

/** Rounds in which `beforeExit` listeners may start more work. */
const BEFORE_EXIT_ROUNDS = 10

export interface DriverParts
  extends Pick<OperationParts, 'causality' | 'clock' | 'pool' | 'draws' | 'recording' | 'verdict'> {
  readonly handles: AsyncHandles
  readonly descriptors: Descriptors
  readonly operations: Operations
  readonly timers: TimerPhases
  readonly gateway: RealEvents | undefined
  readonly react: React
  /** Handles an error that the program threw to the top. */
  uncaught(error: unknown): void
  /** Threads and child processes; undefined while there are none. */
  others(): Others | undefined
}

export class Driver {
  readonly #parts: DriverParts
  readonly #loop: LoopHost
  /** How the last call to `settle` has settled. */
  #settlement: () => Settlement | undefined = () => undefined
  /** The exit code while listeners of `exit` run. */
  #endsWith: number | undefined
  readonly #emit = process.emit

  constructor(parts: DriverParts) {
    this.#parts = parts
    const { clock, causality, pool, handles, descriptors, timers, gateway } = parts
    this.#loop = {
      clock,
      causality,
      pool,
      handles,
      descriptors,
      timers,
      gateway,
      others: parts.others,
      runCallback: (task) => this.#runCallback(task),
      runArrival: (arrival) => this.#runArrival(arrival),
      runNativeImmediates: () => this.#runNativeImmediates(),
      timerLatencyUs: (step) => parts.operations.latencyUs(step, 'wake', 'timer'),
      startLatencyUs: () => parts.operations.latencyUs(causality.current, 'loop', 'start'),
      maxLatencyUs: () => parts.draws.maxLatencyUs,
      stall: (before) => parts.operations.stall(before),
      stopped: () => parts.verdict.stops,
    }
  }

  /** Whether the last call to `settle` has settled. */
  get settled(): boolean {
    return this.#settlement() !== undefined
  }

  /** Calls an action and turns the loop until its result has settled. */
  settle(action: () => unknown, maxSteps: number, fromStart: boolean): Outcome {
    this.#settlement = settlementOf(action, this.#parts.react)
    drainTicks(this.#parts.uncaught)
    const reached = () => this.#settlement() !== undefined
    const end = reached() ? 'reached' : this.#drive(reached, maxSteps, fromStart)
    return this.#settlement() ?? { how: end as Exclude<DriveEnd, 'reached'> }
  }

  /** Turns the loop; a bound reached between two steps ends it too. */
  #drive(reached: () => boolean, maxSteps: number, fromStart: boolean): DriveEnd {
    try {
      return drive(this.#loop, reached, maxSteps, fromStart)
    } catch (error) {
      if (isTermination(error) && this.#parts.verdict.stops) return 'stopped'
      throw error
    } finally {
      this.#parts.causality.enter(this.#parts.causality.main)
    }
  }

  /**
   * Runs the remaining work, bounded, then `beforeExit` and `exit` listeners, as Node does. Returns
   * how the loop ended.
   *
   * @param goesOn whether the process does not end here, so that listeners are not called
   */
  finish(goesOn = false): DriveEnd | undefined {
    let end: DriveEnd | undefined
    for (let round = 0; round < BEFORE_EXIT_ROUNDS && !this.#parts.verdict.known; round++) {
      // Usually nothing is left to drive.
      end = this.#parts.verdict.stops || this.#alive() ? this.#drain() : 'idle'
      // A handle that waits forever keeps the process alive, so `beforeExit` is not emitted.
      if (goesOn || end !== 'idle' || this.#alive()) break
      this.#parts.descriptors.haveClosed = false
      // Hooks that no loop waits for learn of destroyed resources first (EmitProcessBeforeExit, src/api/hooks.cc).
      if (this.#parts.handles.immediatesPending) this.#runNativeImmediates()
      if (this.#isHeard('beforeExit')) {
        callFromTop(() => process.emit('beforeExit', exitCode()), this.#parts.uncaught)
        drainTicks(this.#parts.uncaught)
      }
      if (!this.#alive() && !this.#parts.descriptors.haveClosed) break
    }
    if (goesOn || this.#parts.verdict.stops || !this.#isHeard('exit')) return end
    this.#endsWith = exitCode()
    this.#parts.clock.loopTimes.endUs = this.#parts.clock.nowUs
    callFromTop(() => emitExit(exitCode()), this.#parts.uncaught)
    this.#endsWith = undefined
    return end
  }

  /** A program may replace `emit`, as signal-exit does. */
  #isHeard(event: string): boolean {
    return process.listenerCount(event) > 0 || process.emit !== this.#emit
  }

  /**
   * The program exits: a listener of `exit` that does so with the code of the process only skips the
   * other listeners. Throws then.
   */
  exits(code: number): void {
    if (code !== this.#endsWith) return
    this.#parts.verdict.pass()
    throw new Termination('the process has ended')
  }

  /**
   * Drives until nothing can happen any more. Where somebody listens for the exit, timers fire that keep no loop
   * alive while a server or a connection waits: one that has a timeout ends by it.
   */
  #drain(): DriveEnd {
    const { clock, timers } = this.#parts
    let lastUs = Number.POSITIVE_INFINITY
    const isOver = () => {
      if (!quiet(this.#loop)) return false
      if (!this.#isHeard('exit')) return true
      lastUs = Math.min(lastUs, clock.nowUs + WAIT_US, clock.boundUs)
      return timers.nextExpiryUs() >= lastUs || !this.#alive()
    }
    for (;;) {
      const end = this.#drive(isOver, DRAIN_STEPS, false)
      if (end === 'silent') return 'idle'
      if (end !== 'reached') return end
      // Operations that completed together with the last one are given back when the drive ends.
      if (isOver()) return 'idle'
    }
  }

  #alive(): boolean {
    return alive(this.#loop, this.#parts.others()?.main)
  }

  #runCallback({ operation, step, callbackLatencyUs: delayUs, atUs: dueUs, failed, error, result }: PoolTask): void {
    const { kind, resource } = operation
    this.#parts.recording.beginStep()
    this.#parts.recording.add({ event: 'callback', step, kind, resource, delayUs, dueUs })
    if (failed) this.#parts.recording.appears(error, step)
    callFromTop(() => operation.complete(failed ? error : undefined, result), this.#parts.uncaught)
    drainTicks(this.#parts.uncaught)
  }

  #runArrival(arrival: Arrival): void {
    const { threw } = arrival
    const { uncaught } = this.#parts
    const caught =
      threw === undefined
        ? uncaught
        : (error: unknown) => {
            threw()
            uncaught(error)
          }
    this.#call(arrival, caught)
    drainTicks(caught)
  }

  /** Follows `RunAndClearNativeImmediates` (src/env.cc): one callback scope around all of them. */
  #runNativeImmediates(): void {
    const { causality, clock, handles, verdict } = this.#parts
    for (let arrival = handles.takeImmediate(); arrival !== undefined; arrival = handles.takeImmediate()) {
      const isolate = isolateOf(arrival)
      if (isolate.hasEnded) continue
      // Each isolate has a scope of its own.
      if (causality.isolate !== isolate) drainTicks(this.#parts.uncaught)
      begin(causality, clock, arrival.step, isolate)
      this.#call(arrival)
      if (verdict.stops) return
    }
    drainTicks(this.#parts.uncaught)
  }

  #call({ step, kind, resource, delayUs: tookUs, run }: Arrival, caught = this.#parts.uncaught): void {
    this.#parts.recording.beginStep()
    const delayUs = Math.max(0, tookUs - step.leastUs)
    this.#parts.recording.add({ event: 'callback', step, kind, resource, delayUs })
    callFromTop(run, caught)
  }

  /** A timer or an immediate begins to run. */
  begin(event: 'timer' | 'immediate', step: Step): void {
    begin(this.#parts.causality, this.#parts.clock, step)
    this.#parts.recording.beginStep()
    this.#parts.recording.add({ event, step, kind: event })
  }
}

function exitCode(): number {
  return Number(process.exitCode ?? 0)
}
