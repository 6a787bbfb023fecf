/** The states that fit a trace so far, at most `width`, each with the steps that led to it. */
import type { Tuple, Value } from '../values/value.ts'

/** What led from one state to another. */
export interface Call {
  readonly action: string
  readonly parameters: readonly Value[]
}

/** A state that the specification may be in, and how it got there. */
export interface Reached {
  readonly state: Tuple
  readonly from: Reached | undefined
  /** The step that led here; undefined for an initial state. */
  readonly by: Call | undefined
  /**
   * The event that it belongs to, by its number; -1 before the first. Silent steps belong to the
   * one after them.
   */
  readonly event: number
}

/** Nothing is decided, as there is more than is gone through. */
export class BoundReached extends Error {
  override readonly name = 'BoundReached'
  /** Two of the states that are open, if these are too many. */
  readonly open: readonly [Reached, Reached] | undefined

  constructor(message: string, open?: readonly [Reached, Reached]) {
    super(message)
    this.open = open
  }
}

/** Distinct states, in the order in which they are found. */
export class Frontier {
  readonly states: Reached[] = []
  readonly #known = new Set<Tuple>()
  readonly #width: number

  constructor(width: number) {
    this.#width = width
  }

  has(state: Tuple): boolean {
    return this.#known.has(state)
  }

  /** Undefined if it is known. */
  add(state: Tuple, from: Reached | undefined, by: Call | undefined, event: number): Reached | undefined {
    if (this.#known.has(state)) return undefined
    const reached = { state, from, by, event }
    this.keep(reached)
    return reached
  }

  keep(reached: Reached): void {
    if (this.#known.has(reached.state)) return
    if (this.states.length >= this.#width) {
      throw new BoundReached(
        `more than ${this.#width} states are open at once; --width allows more, and --depth-first may decide with fewer`,
        [this.states[0]!, this.states[1] ?? reached],
      )
    }
    this.#known.add(reached.state)
    this.states.push(reached)
  }
}
