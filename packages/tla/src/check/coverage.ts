/**
 * How often each part of the next-state relation was taken: a check may pass because
 * there was nothing to check.
 *
 * An action that is never enabled is the commonest way for a specification to be right by accident
 * (Kupferman and Vardi, "Vacuity detection in temporal model checking", 2003, on the class); TLC
 * shows the same figures with -coverage.
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
   * A part gave a successor of a state. @param state a number that tells it from the state that was
   * expanded before
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
