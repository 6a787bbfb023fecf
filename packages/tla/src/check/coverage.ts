/**
 * Counts how often each part of the next-state relation is taken, since a check can pass vacuously.
 *
 * The commonest cause is an action that is never enabled (Kupferman and Vardi, "Vacuity detection
 * in temporal model checking", 2003). The figures are those of TLC's `-coverage`.
 */
import type { ActionPart } from '../evaluate/machine.ts'

export interface PartCoverage {
  readonly part: ActionPart
  /** Number of expanded states in which it had a successor. */
  readonly enabled: number
  /** Number of successors, equal ones counted each time. */
  readonly taken: number
  /** Number of successors that were new. */
  readonly found: number
}

export class Coverage {
  readonly #parts: readonly ActionPart[]
  /** Counts may pass 32 bits. */
  readonly #enabled: Float64Array
  readonly #taken: Float64Array
  readonly #found: Float64Array
  /** For each part, the last state in which it was enabled. */
  readonly #last: Int32Array

  constructor(parts: readonly ActionPart[]) {
    this.#parts = parts
    this.#enabled = new Float64Array(parts.length)
    this.#taken = new Float64Array(parts.length)
    this.#found = new Float64Array(parts.length)
    this.#last = new Int32Array(parts.length).fill(-1)
  }

  /** Counts a successor of a part. @param state identifies the expanded state */
  took(part: number, state: number): void {
    this.#taken[part]!++
    if (this.#last[part] !== state) {
      this.#last[part] = state
      this.#enabled[part]!++
    }
  }

  /** Counts a new successor of a part. */
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

  /** The parts without a successor in any state. */
  neverEnabled(): readonly ActionPart[] {
    return this.#parts.filter(({ id }) => this.#taken[id] === 0)
  }
}
