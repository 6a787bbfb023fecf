/**
 * The faults of one execution: system calls of the file system that fail, or transfer less than
 * asked.
 *
 * Each call draws one choice of the fault lane: 0 is no fault, then its errors, most common first,
 * then transfers cut short, by bytes. Nothing is drawn once the budget is spent, nor for what
 * modules submit while they load. Invariants: files/faults.ts decides which faults are possible; a
 * label is the operation's, so a fault stays with its operation; the trace holds a fault before its
 * effect.
 */
import type { InjectedFault } from '../contract/execution.ts'
import { labelOf, type Subject } from '../contract/subject.ts'
import type { Step } from './causality.ts'

/** The faults that a system call may meet. */
export interface Possible {
  /** Codes such as `ENOSPC`, most common first. */
  readonly errors: readonly string[]
  /** The bytes it would transfer, if the transfer may be cut short. */
  readonly bytes?: number
}

/** An injected fault: an error code, or the number of bytes to transfer. */
export type Fault = string | number

/** The maximum number of faults of each kind in one execution. */
export interface FaultBudgets {
  readonly fs?: number
}

/** An operation that is taking effect. */
interface Performed {
  readonly step: Step
  readonly kind: string
  readonly resource: string
}

export interface FaultsHost {
  /** Draws a fault, from 0 to `max`; the alias names the call and its resource. */
  draw(subject: Subject, max: number, alias: string): number
  /** Maps a path to the form that traces show. */
  relative(path: string): string
  injected(step: Step, resource: string, fault: InjectedFault): void
}

export class Faults {
  readonly #host: FaultsHost
  readonly #ordinals = new Map<string, number>()
  #left = 0
  /** Open sections of the program in which no fault is injected. */
  #suspensions = new Set<object>()
  #performed: Performed | undefined
  #injected: InjectedFault[] = []

  constructor(host: FaultsHost) {
    this.#host = host
  }

  reset({ fs = 0 }: FaultBudgets): void {
    this.#left = fs
    if (this.#suspensions.size > 0) this.#suspensions = new Set()
    this.#performed = undefined
    this.#injected = []
    if (this.#ordinals.size > 0) this.#ordinals.clear()
  }

  /** Whether the execution may still inject a fault. */
  get allowed(): boolean {
    return this.#left > 0
  }

  /** Whether the operation taking effect now may meet a fault. */
  get possible(): boolean {
    return this.#left > 0 && this.#performed !== undefined && this.#suspensions.size === 0
  }

  get injected(): readonly InjectedFault[] {
    return this.#injected
  }

  /** Injects no fault until the returned function is called, or the execution ends. */
  suspend(): () => void {
    const stretch = {}
    const open = this.#suspensions
    open.add(stretch)
    return () => void open.delete(stretch)
  }

  /** Sets the operation taking effect; undefined for one that may not meet a fault. */
  perform(performed: Performed | undefined): void {
    this.#performed = performed
  }

  /**
   * Draws the fault of a system call of the operation taking effect.
   *
   * @param call its name in the API; an operation of several calls names each
   */
  meet(call: string, { errors, bytes = 0 }: Possible): Fault | undefined {
    const { step, kind, resource } = this.#performed!
    const shown = this.#host.relative(resource)
    const what = call === kind ? kind : `${kind} ${call}`
    const ordinal = this.#ordinal(`${step.label} ${what}`)
    const subject = { chain: step.chain, step: step.label, operation: what, ordinal }
    const alias = `${what} ${shown} ${this.#ordinal(`${what} ${shown}`) + 1}`
    const max = errors.length + Math.max(0, bytes - 1)
    if (max === 0) return undefined
    const value = this.#host.draw(subject, max, alias)
    if (value === 0) return undefined
    const moved = value - errors.length
    const fault = errors[value - 1] ?? moved
    const outcome = typeof fault === 'string' ? fault : `${moved} of ${bytes} bytes`
    this.#left--
    const injected = { label: labelOf(subject), operation: call, resource: shown, fault: outcome }
    this.#injected.push(injected)
    this.#host.injected(step, resource, injected)
    return fault
  }

  #ordinal(name: string): number {
    const ordinal = this.#ordinals.get(name) ?? 0
    this.#ordinals.set(name, ordinal + 1)
    return ordinal
  }
}
