/**
 * The faults of one execution: which system calls of the file system are made to fail, or to do less than was asked.
 *
 * Each system call that may meet a fault draws one choice of the fault lane: 0 is no fault, then come its errors, the
 * most ordinary first, then a transfer that is cut short, by how many bytes it still moves. Once as many faults have been
 * injected as the property allows nothing is drawn any more.
 *
 * Invariants: which faults are possible is said by whoever performs the call (files/faults.ts), and only those are drawn.
 * Nothing is drawn while the modules load, nor for what they submit then. A label is the operation's, so a fault stays with
 * its operation when others come or go; what was injected stands in the trace before the effect.
 */
import type { InjectedFault } from '../contract/execution.ts'
import type { Step } from './causality.ts'
import { faultLabel } from './labels.ts'

/** What a system call may meet, as the files know it. */
export interface Possible {
  /** Codes such as `ENOSPC`, the most ordinary first. */
  readonly errors: readonly string[]
  /** How many bytes it would move, if it may be cut short of that. */
  readonly bytes?: number
}

/** What a system call meets: an error by its code, or how many bytes it moves. */
export type Fault = string | number

/** How many faults of each kind one execution may have. */
export interface FaultBudgets {
  readonly fs?: number
}

/** An operation whose effect takes place. */
interface Performed {
  readonly step: Step
  readonly kind: string
  readonly resource: string
}

export interface FaultsHost {
  /** Draws how a call fares, from 0 to `max`; the alias is by what is done to what. */
  draw(label: string, max: number, alias: string): number
  /** A path as traces show it. */
  relative(path: string): string
  injected(step: Step, resource: string, fault: InjectedFault): void
}

export class Faults {
  readonly #host: FaultsHost
  readonly #ordinals = new Map<string, number>()
  #left = 0
  /** Stretches of the program in which nothing is to fail, that are open. */
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

  /** Whether an execution may still have one, so that operations have to be told of. */
  get allowed(): boolean {
    return this.#left > 0
  }

  /** Whether the operation that is performed now may meet one. */
  get possible(): boolean {
    return this.#left > 0 && this.#performed !== undefined && this.#suspensions.size === 0
  }

  get injected(): readonly InjectedFault[] {
    return this.#injected
  }

  /** From here on nothing fails, until what this gives back is called, or the execution is over. */
  suspend(): () => void {
    const stretch = {}
    const open = this.#suspensions
    open.add(stretch)
    return () => void open.delete(stretch)
  }

  /** From here on it is this operation that is performed; undefined for one that meets no fault. */
  perform(performed: Performed | undefined): void {
    this.#performed = performed
  }

  /**
   * Draws what a system call of the operation that is performed now meets.
   *
   * @param call in the words of the API; an operation of several calls names each
   */
  meet(call: string, { errors, bytes = 0 }: Possible): Fault | undefined {
    const { step, kind, resource } = this.#performed!
    const shown = this.#host.relative(resource)
    const what = call === kind ? kind : `${kind} ${call}`
    const label = this.#ordinal(faultLabel(step, what), (base, n) => (n === 0 ? base : `${base}#${n}`))
    const alias = this.#ordinal(`${what} ${shown}`, (base, n) => `${base} ${n + 1}`)
    const max = errors.length + Math.max(0, bytes - 1)
    if (max === 0) return undefined
    const value = this.#host.draw(label, max, alias)
    if (value === 0) return undefined
    const moved = value - errors.length
    const fault = errors[value - 1] ?? moved
    const outcome = typeof fault === 'string' ? fault : `${moved} of ${bytes} bytes`
    this.#left--
    const injected = { label, operation: call, resource: shown, fault: outcome }
    this.#injected.push(injected)
    this.#host.injected(step, resource, injected)
    return fault
  }

  #ordinal(base: string, name: (base: string, ordinal: number) => string): string {
    const ordinal = this.#ordinals.get(base) ?? 0
    this.#ordinals.set(base, ordinal + 1)
    return name(base, ordinal)
  }
}
