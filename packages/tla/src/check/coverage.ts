/**
 * Counts how often each part of the next-state relation was taken, since a check can pass
 * vacuously.
 *
 * The commonest cause is an action that is never enabled (Kupferman and Vardi, "Vacuity detection
 * in temporal model checking", 2003). The figures are those of TLC's `-coverage`.
 */
import type { ActionPart } from '../evaluate/machine.ts'

export interface PartCoverage {
  readonly part: ActionPart
  /** In how many of the states that were expanded it had a successor. */
  readonly enabled: number
  /** How many successors it gave, equal ones as often as they came. */
  readonly taken: number
  /** How many of them were new. */
  readonly found: number
}

export class Coverage {
  readonly #parts: readonly ActionPart[]
  /** Counts may pass 32 bits. */
  readonly #enabled: Float64Array
  readonly #taken: Float64Array
  readonly #found: Float64Array
  /** The last state in which each was enabled. */
  readonly #last: Int32Array

  constructor(parts: readonly ActionPart[]) {
    this.#parts = parts
    this.#enabled = new Float64Array(parts.length)
    this.#taken = new Float64Array(parts.length)
    this.#found = new Float64Array(parts.length)
    this.#last = new Int32Array(parts.length).fill(-1)
  }

  /**
   * Counts a successor that a part gave. @param state differs from that of the state expanded
   * before
   */
  took(part: number, state: number): void {
    this.#taken[part]!++
    if (this.#last[part] !== state) {
      this.#last[part] = state
      this.#enabled[part]!++
    }
  }

  /** The successor was new. */
  found(part: number): void {
    this.#found[part]!++
  }

  /** In the order of the specification. */
  parts(): readonly PartCoverage[] {
    return this.#parts.map((part) => ({
      part,
      enabled: this.#enabled[part.id]!,
      taken: this.#taken[part.id]!,
      found: this.#found[part.id]!,
    }))
  }

  /** The parts that had no successor in any state. */
  neverEnabled(): readonly ActionPart[] {
    return this.#parts.filter(({ id }) => this.#taken[id] === 0)
  }
}
