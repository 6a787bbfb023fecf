/**
 * Operations of the program, from submission to effect: each becomes a step, draws its latencies,
 * is recorded, and goes to the pool or runs at once.
 */
import { FAULT_KINDS, type FaultKind } from '../contract/execution.ts'
import { NETWORK_FAULTS, type NetworkFaultTable } from '../contract/network-faults.ts'
import type { SchedulePointKind } from '../contract/subject.ts'
import type { Delays } from '../options/latency-ranges.ts'
import { mix } from '../tape/chance.ts'
import { TapeTooLong } from '../tape/tape.ts'
import type { Draws } from './draws.ts'
import type { Leaks } from './isolation/leaks.ts'
import type { Causality, Step } from './loop/causality.ts'
import type { Faults } from './loop/faults.ts'
import type { Pool, PoolLatencies, PoolOperation, PoolTask } from './loop/pool.ts'
import type { Clock } from './loop/virtual-clock.ts'
import type { Latencies } from './network/latencies.ts'
import { Termination } from './realm/ending.ts'
import type { Activity } from './realm/replace.ts'
import { MAX_EVENTS, type Recording } from './recording.ts'
import type { Verdict } from './verdict.ts'

/** Virtual cost of a synchronous operation. */
const SYNC_US = 10

/** The faults that operations of the pool may meet. */
const OF_OPERATIONS: readonly FaultKind[] = FAULT_KINDS.filter(
  (kind) => kind === 'fs' || 'lookup' in ((NETWORK_FAULTS as NetworkFaultTable)[kind]?.meets ?? {}),
)

/** In Node these would come after the wait, in an order that norn cannot give them. */
const BESIDE_WAIT = 'Atomics.wait in a thread that has other work'

/** The parts of the world that operations use. */
export interface OperationParts extends Activity {
  readonly causality: Causality
  readonly clock: Clock
  readonly pool: Pool
  readonly draws: Draws
  readonly latencies: Latencies
  readonly recording: Recording
  readonly faults: Faults
  readonly leaks: Leaks
  readonly verdict: Verdict
}

interface Announced {
  readonly step: Step
  readonly delayUs: number
  readonly tear: PoolLatencies['tear']
}

export class Operations {
  readonly #parts: OperationParts
  /** The last task whose effect reached a watcher. */
  #changed: { readonly task: PoolTask; delayUs: number } | undefined

  constructor(parts: OperationParts) {
    this.#parts = parts
  }

  /** Submits an operation to the pool. */
  submit(operation: PoolOperation): void {
    const { clock, latencies, leaks, pool, recording } = this.#parts
    const { kind, resource } = operation
    const { step, alias } = this.#named(kind, resource)
    const slow = latencies.haveSlow ? latencies.slow(kind, recording.relative(resource)) : undefined
    const effectUs = this.#delayUs(step, kind, 'effect', alias, slow)
    const tear = operation.divided && this.#tear(operation.divided.places, this.latencyUs(step, kind, 'tear', alias))
    const callbackUs = this.latencyUs(step, kind, 'callback', alias)
    recording.setStep(step)
    const submitted = this.#watched(this.#opening(this.#faulted(operation, step), leaks.called(kind)))
    recording.add({ event: 'submit', step, kind, resource })
    pool.submit(submitted, step, { effectUs, callbackUs, tear }, clock.nowUs)
  }

  /** Attributes what opens when the operation takes effect to its call. */
  #opening(operation: PoolOperation, call: string | undefined): PoolOperation {
    if (call === undefined) return operation
    return {
      ...operation,
      effect: () => {
        this.#parts.leaks.effective(call)
        return operation.effect()
      },
      complete: (error, result) => operation.complete(error, result),
    }
  }

  /** While files are followed: what changed before the operation takes effect is not of its doing. */
  #watched(operation: PoolOperation): PoolOperation {
    const { recording } = this.#parts
    if (!recording.followsFiles) return operation
    return {
      ...operation,
      effect: () => {
        recording.fileChanges()
        return operation.effect()
      },
      complete: (error, result) => operation.complete(error, result),
    }
  }

  /** Creates the step of an operation, and its alias if aliases are on. */
  #named(kind: string, resource: string, cause?: Step): { step: Step; alias: string | undefined } {
    const { causality, draws, recording, verdict } = this.#parts
    if (verdict.known) throw new Termination('the execution is over')
    // An operation of the pool takes effect whichever thread ran last.
    if (cause === undefined) this.#refuseBlocked()
    const step = causality.child(cause)
    return { step, alias: draws.naming ? draws.alias(kind, recording.relative(resource)) : undefined }
  }

  /**
   * One choice decides how long a transfer stays torn and where. One in four tears at the first
   * place (a copy that exists but is empty), the others anywhere.
   */
  #tear(places: number, tearUs: number): PoolLatencies['tear'] {
    const drawn = mix(tearUs)
    return { us: tearUs, place: drawn % 4 === 0 ? 0 : (drawn >>> 2) % places }
  }

  /**
   * Lets an operation's system calls meet faults when it takes effect, unless a loading module
   * submitted it.
   */
  #faulted(operation: PoolOperation, step: Step): PoolOperation {
    if (!this.#mayMeetFault()) return operation
    const { kind, resource } = operation
    const performed = this.#parts.recording.paused ? undefined : { step, kind, resource }
    return {
      ...operation,
      effect: () => {
        this.#parts.faults.perform(performed)
        try {
          return operation.effect()
        } finally {
          this.#parts.faults.perform(undefined)
        }
      },
      complete: (error, result) => operation.complete(error, result),
    }
  }

  /**
   * Announces a callback in the poll phase without a pool thread; it is delayed only if a point is
   * given.
   *
   * @param places the number of places at which it may be torn
   * @param message the first line of the HTTP message that it carries
   * @param link of the network that it passes
   */
  announce(kind: string, resource: string, point?: 'callback', places = 0, message?: string, link?: Delays): Announced {
    const { latencies, recording } = this.#parts
    const { step, alias } = this.#named(kind, resource)
    const delays = point === undefined ? undefined : (latencies.slow(kind, resource, message) ?? link)
    const delayUs = point === undefined ? 0 : this.#delayUs(step, kind, point, alias, delays)
    const tear = places === 0 ? undefined : this.#tear(places, this.latencyUs(step, kind, 'tear', alias, link?.boundUs))
    recording.setStep(step)
    recording.add({ event: 'submit', step, kind, resource })
    recording.add({ event: 'effect', step, kind, resource, outcome: 'ok' })
    return { step, delayUs, tear }
  }

  /**
   * Announces that a change of the files reaches a watcher: at once if the program made it; if a
   * thread of the pool did, within the drawn time that it takes to post its completion.
   */
  announceChange(kind: string, resource: string): { step: Step; delayUs: number; readyUs: number } {
    const { clock, pool, recording } = this.#parts
    const { performing } = pool
    const { step, alias } = this.#named(kind, resource, performing?.step)
    recording.add({ event: 'submit', step, kind, resource })
    recording.add({ event: 'effect', step, kind, resource, outcome: 'ok' })
    if (performing === undefined) {
      recording.setStep(step)
      return { step, delayUs: 0, readyUs: clock.nowUs }
    }
    const { atUs, callbackLatencyUs } = performing
    if (this.#changed?.task !== performing) this.#changed = { task: performing, delayUs: 0 }
    // Events of one system call stay in order.
    if (this.#changed.delayUs < callbackLatencyUs) {
      const drawnUs = Math.min(this.latencyUs(step, kind, 'callback', alias), callbackLatencyUs)
      this.#changed.delayUs = Math.max(this.#changed.delayUs, drawnUs)
    }
    const { delayUs } = this.#changed
    return { step, delayUs, readyUs: atUs + delayUs }
  }

  /** A thread that has ended, or waits, does nothing. */
  #refuseBlocked(): void {
    const { causality, verdict } = this.#parts
    const { isolate } = causality
    if (isolate.hasEnded) throw new Termination('the thread is over')
    if (isolate.isBlocked) verdict.refuse({ kind: 'uncontrolled operation', operation: BESIDE_WAIT })
  }

  /** Whether faults of operations are allowed; those of the network have their own ways. */
  #mayMeetFault(): boolean {
    const { faults } = this.#parts
    for (let at = 0; at < OF_OPERATIONS.length; at++) if (faults.allows(OF_OPERATIONS[at]!)) return true
    return false
  }

  /** Draws the latency of a schedule point, in microseconds. */
  latencyUs(step: Step, kind: string, point: SchedulePointKind, alias?: string, boundUs?: number): number {
    return this.drawn(() => this.#parts.draws.latencyUs(step, kind, point, alias, boundUs))
  }

  /** The latency of an operation: drawn, and what it takes at least. While modules load, none. */
  #delayUs(
    step: Step,
    kind: string,
    point: SchedulePointKind,
    alias: string | undefined,
    delays: Delays | undefined,
  ): number {
    const drawnUs = this.latencyUs(step, kind, point, alias, delays?.boundUs)
    if (delays === undefined || this.#parts.recording.paused) return drawnUs
    step.leastUs = delays.leastUs
    return delays.leastUs + drawnUs
  }

  /** Draws a choice; ends the execution if the tape is too long. */
  drawn<Result>(draw: () => Result): Result {
    try {
      return draw()
    } catch (error) {
      if (error instanceof TapeTooLong) this.#parts.verdict.stop(error.message)
      throw error
    }
  }

  /** Draws a stall before the next operation: time passes, and the pool goes on. */
  stall(before: string): void {
    if (!this.#parts.active() || this.#parts.verdict.known) return
    const step = this.#parts.causality.current
    const delayUs = this.drawn(() => this.#parts.draws.stallUs(step, before))
    if (delayUs === 0) return
    this.#parts.clock.advance(delayUs)
    this.#parts.pool.performDue(this.#parts.clock.nowUs)
    this.#parts.recording.add({ event: 'stall', step, kind: before, delayUs })
  }

  /** Records that an operation of the pool took effect, or half of it. */
  tookEffect(task: PoolTask): void {
    const { operation, step, effectLatencyUs, tear, half, failed, error } = task
    const { kind, resource } = operation
    if (half && task.state === 'running') {
      this.#parts.recording.add({ event: 'half', step, kind, resource, delayUs: effectLatencyUs - step.leastUs })
      return
    }
    const delayUs = half ? tear!.us : effectLatencyUs - step.leastUs
    if (failed) this.#parts.verdict.noteOverflow(error)
    const outcome = failed ? String((error as { code?: unknown })?.code ?? 'error') : 'ok'
    this.#parts.recording.add({ event: 'effect', step, kind, resource, delayUs, outcome })
  }

  /** Draws and records how late something within a call of the program is, in microseconds. */
  lateUs(kind: string, resource: string): number {
    const step = this.#parts.causality.current
    const delayUs = this.latencyUs(step, kind, 'callback')
    this.#parts.recording.add({ event: 'callback', step, kind, resource, delayUs })
    return delayUs
  }

  /** Prepares a synchronous operation: draws a stall, advances time and records it. */
  performed(kind: string, resource: string): void {
    const { causality, clock, faults, leaks, pool, recording, verdict } = this.#parts
    this.#refuseBlocked()
    if (recording.full) verdict.stop(`it performed more than ${MAX_EVENTS} operations`)
    // Pool threads run beside the program: pending effects may come first if the program stalls.
    if (pool.effectsPending) this.stall(kind)
    leaks.called(kind)
    clock.advance(SYNC_US)
    pool.performDue(clock.nowUs)
    const step = causality.current
    recording.add({ event: 'sync', step, kind, resource })
    if (this.#mayMeetFault()) faults.perform(recording.paused ? undefined : { step, kind, resource })
  }
}
