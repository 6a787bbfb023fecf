/**
 * An argument of a called operator that is not evaluated yet, or whose evaluation failed
 * (arguments.ts).
 */
import { isPassing } from '../error/error.ts'
import type { Value } from '../values/value.ts'

/** An argument in a cell without a value yet. */
export class Deferred {
  /** Length of the chain of deferred arguments from here on. */
  readonly depth: number
  readonly #isKept: boolean
  #run: (() => Value) | undefined
  #value: Value | undefined = undefined
  #error: unknown = undefined

  /** @param isKept whether its value never changes, and can be cached */
  constructor(run: (() => Value) | undefined, depth: number, isKept: boolean, error?: unknown) {
    this.#run = run
    this.depth = depth
    this.#isKept = isKept
    this.#error = error
  }

  /** @throws TlaError of its evaluation */
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

  /** The value, if it has been evaluated. */
  get known(): Value | undefined {
    return this.#value
  }

  get isWaiting(): boolean {
    return this.#run !== undefined
  }
}
