/**
 * The faults of one execution: system calls of the file system that fail, or transfer less than
 * asked; connections, datagrams and lookups that the network fails.
 *
 * Each point draws one choice of the fault lane: 0 is no fault, then the faults, most common first;
 * of system calls then transfers cut short, by bytes. Nothing is drawn once the budget of its kind
 * is spent, nor for what modules submit while they load. Invariants: files/file-faults.ts and
 * network/network-faults.ts decide which faults are possible; a label is the operation's, so a fault
 * stays with its operation; the trace holds a fault before its effect.
 */
import type { FaultKind, InjectedFault } from '../../contract/execution.ts'
import { labelOf, type Subject } from '../../contract/subject.ts'
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
export type FaultBudgets = { readonly [Kind in FaultKind]?: number }

/** An operation that meets a fault. */
export interface Performed {
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
  #left: FaultBudgets = {}
  /** Open sections of the program in which no fault is injected. */
  #suspensions = new Set<object>()
  #performed: Performed | undefined
  #injected: InjectedFault[] = []

  constructor(host: FaultsHost) {
    this.#host = host
  }

  reset(budgets: FaultBudgets): void {
    this.#left = budgets
    if (this.#suspensions.size > 0) this.#suspensions = new Set()
    this.#performed = undefined
    this.#injected = []
    if (this.#ordinals.size > 0) this.#ordinals.clear()
  }

  /** Whether the execution may still inject a fault of the kind. */
  allows(kind: FaultKind): boolean {
    return (this.#left[kind] ?? 0) > 0
  }

  /** Whether what happens now may meet a fault of the kind. */
  isPossible(kind: FaultKind): boolean {
    return this.allows(kind) && this.#suspensions.size === 0
  }

  /** Whether the operation taking effect now may meet a fault of the file system. */
  get possible(): boolean {
    return this.#performed !== undefined && this.isPossible('fs')
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

  /** The operation taking effect. */
  get performed(): Performed | undefined {
    return this.#performed
  }

  /**
   * Draws the fault of a system call of the operation taking effect.
   *
   * @param call its name in the API; an operation of several calls names each
   */
  meet(call: string, { errors, bytes = 0 }: Possible): Fault | undefined {
    const faultOf = (value: number): Fault => errors[value - 1] ?? value - errors.length
    const value = this.draw('fs', this.#performed!, call, errors.length + Math.max(0, bytes - 1), (drawn) => {
      const fault = faultOf(drawn)
      return typeof fault === 'string' ? fault : `${fault} of ${bytes} bytes`
    })
    return value === 0 ? undefined : faultOf(value)
  }

  /**
   * Draws a fault, from 0 for none to `max`, and injects it.
   *
   * @param call its name in the API, or what may fail about the operation
   * @param outcome how reports name a fault
   */
  draw(
    kind: FaultKind,
    { step, kind: operation, resource }: Performed,
    call: string,
    max: number,
    outcome: (value: number) => string,
  ): number {
    const shown = this.#host.relative(resource)
    const what = call === operation ? operation : `${operation} ${call}`
    const ordinal = this.#ordinal(`${step.label} ${what}`)
    const subject = { chain: step.chain, step: step.label, operation: what, ordinal }
    const alias = `${what} ${shown} ${this.#ordinal(`${what} ${shown}`) + 1}`
    if (max === 0) return 0
    const value = this.#host.draw(subject, max, alias)
    if (value === 0) return 0
    this.#left = { ...this.#left, [kind]: this.#left[kind]! - 1 }
    const fault = outcome(value)
    const isCall = kind === 'fs'
    const injected = { kind, label: labelOf(subject), operation: isCall ? call : operation, resource: shown, fault }
    this.#injected.push(injected)
    this.#host.injected(step, resource, injected)
    return value
  }

  #ordinal(name: string): number {
    const ordinal = this.#ordinals.get(name) ?? 0
    this.#ordinals.set(name, ordinal + 1)
    return ordinal
  }
}
