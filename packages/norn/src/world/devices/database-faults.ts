/**
 * Draws what a database does to a statement instead of carrying it out.
 *
 * Only what the server could do: refuse with an error that does not depend on what is stored; end, which closes all
 * connections and undoes what is not committed, and be there again; be replaced by a copy that lacks what was done in
 * the last second. Invariant: what is lost is lost from the end, so the rest is a state that there was.
 */
import type { DatabaseFaultKind } from '../../contract/database-faults.ts'
import { CONNECTS, LEAVES, type ServerError, type Unit } from '../../devices/device.ts'
import type { Faults, Performed } from '../loop/faults.ts'

/** What a copy may lack, and a Redis that has ended: what came in the last second, of so many statements. */
const LOST_US = 1_000_000
const MAX_LOST = 8

/** The server ends, and is there again. */
export interface Restart {
  /** Whether the statement is carried out before it, and only its answer is missing. */
  readonly isCarriedOut: boolean
  /** How many of the last units are lost. */
  readonly lost: number
}

export type DatabaseFault = { readonly error: ServerError } | { readonly restart: Restart }

/** What a statement may meet, besides errors of its own. */
export interface Meeting {
  readonly device: number
  readonly met: Performed
  readonly nowUs: number
  /** Whether the server itself keeps what it has done only after a while. */
  readonly writesLate: boolean
}

interface Handed {
  readonly device: number
  readonly name: string
  readonly atUs: number
}

/** A statement with which the lost begin. */
interface Late {
  readonly name: string
  /** How many units are lost then. */
  readonly lost: number
}

export class DatabaseFaults {
  readonly #faults: Faults
  readonly #isLoading: () => boolean
  #handed: Handed[] = []

  constructor(faults: Faults, isLoading: () => boolean) {
    this.#faults = faults
    this.#isLoading = isLoading
  }

  reset(): void {
    if (this.#handed.length > 0) this.#handed = []
  }

  /** Whether servers may still refuse. */
  get mayRefuse(): boolean {
    return this.#faults.allows('databaseErrors')
  }

  /** The server has been handed a statement, or what only the protocol needs. */
  handed(handed: Handed): void {
    if (this.#mayRestart) this.#handed.push(handed)
  }

  get #mayRestart(): boolean {
    return this.#faults.allows('databaseRestarts') || this.#faults.allows('databaseFailovers')
  }

  /** The error with which something is refused; undefined for none. */
  refused(met: Performed, errors: readonly ServerError[]): ServerError | undefined {
    const value = this.#draw('databaseErrors', met, 'error', errors.length, (drawn) => shown(errors[drawn - 1]!))
    return errors[value - 1]
  }

  /** What a statement meets; undefined if it is carried out. */
  at({ name }: Unit, errors: readonly ServerError[], { device, met, nowUs, writesLate }: Meeting) {
    if (name === '') return undefined
    const error = this.refused(met, errors)
    if (error !== undefined) return { error } satisfies DatabaseFault
    if (!this.#mayRestart) return undefined
    const late = this.#late(device, nowUs)
    const restart = this.#restart(name, met, writesLate ? late : []) ?? this.#failover(met, late)
    if (restart === undefined) return undefined
    this.#lose(device, restart.lost)
    return { restart } satisfies DatabaseFault
  }

  /** The statements that may be lost, the last first. */
  #late(device: number, nowUs: number): Late[] {
    const late: Late[] = []
    const handed = this.#handed.filter((each) => each.device === device)
    for (let at = handed.length - 1; at >= 0 && handed[at]!.atUs >= nowUs - LOST_US && late.length < MAX_LOST; at--) {
      const { name } = handed[at]!
      if (name !== '' && name !== CONNECTS && name !== LEAVES) late.push({ name, lost: handed.length - at })
    }
    return late
  }

  #restart(name: string, met: Performed, late: readonly Late[]): Restart | undefined {
    const outcome = (value: number) =>
      `restarts ${[`before ${name}`, `behind ${name}`][value - 1] ?? without(late, value - 3)}`
    const value = this.#draw('databaseRestarts', met, 'restart', 2 + late.length, outcome)
    return value === 0 ? undefined : { isCarriedOut: value === 2, lost: late[value - 3]?.lost ?? 0 }
  }

  #failover(met: Performed, late: readonly Late[]): Restart | undefined {
    const outcome = (value: number) => `fails over ${without(late, value - 1)}`
    const value = this.#draw('databaseFailovers', met, 'failover', late.length, outcome)
    return value === 0 ? undefined : { isCarriedOut: false, lost: late[value - 1]!.lost }
  }

  /** Later restarts cannot lose it again. */
  #lose(device: number, lost: number): void {
    for (let left = lost; left > 0; left--)
      this.#handed.splice(
        this.#handed.findLastIndex((each) => each.device === device),
        1,
      )
  }

  #draw(
    kind: DatabaseFaultKind,
    met: Performed,
    call: string,
    max: number,
    outcome: (value: number) => string,
  ): number {
    if (max === 0 || !this.#faults.isPossible(kind) || this.#isLoading()) return 0
    return this.#faults.draw(kind, met, call, max, outcome)
  }
}

function shown({ code, text }: ServerError): string {
  return /^\d/.test(code) ? `ERROR ${code} ${text}` : `${code} ${text}`
}

function without(late: readonly Late[], at: number): string {
  return at === 0 ? `without ${late[0]!.name}` : `without the last ${at + 1} statements, from ${late[at]!.name}`
}
