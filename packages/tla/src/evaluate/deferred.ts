/**
 * An argument of a called operator that is not evaluated yet, or whose evaluation failed
 * (arguments.ts).
 */
import { isPassing } from '../error.ts'
import type { Value } from '../values/value.ts'

/** An argument in a cell that is not a value (yet). */
export class Deferred {
  /** How many wait for one another, from this one on. */
  readonly depth: number
  readonly #isKept: boolean
  #run: (() => Value) | undefined
  #value: Value | undefined = undefined
  #error: unknown = undefined

  /** @param isKept whether its value stays the same */
  constructor(run: (() => Value) | undefined, depth: number, isKept: boolean, error?: unknown) {
    this.#run = run
    this.depth = depth
    this.#isKept = isKept
    this.#error = error
  }

  /** @throws what its evaluation does */
  get(): Value {
    if (this.#value !== undefined) return this.#value
    if (this.#run === undefined) throw this.#error
    if (!this.#isKept) return this.#run()
    try {
      this.#value = this.#run()
    } catch (error) {
      if (!isPassing(error)) throw error
      this.#error = error
      this.#run = undefined
      throw error
    }
    this.#run = undefined
    return this.#value
  }

  /** Its value, if somebody asked for it. */
  get known(): Value | undefined {
    return this.#value
  }

  get isWaiting(): boolean {
    return this.#run !== undefined
  }
}
