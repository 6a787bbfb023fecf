/** The states that match a trace so far, at most `width`, each with the steps that led to it. */
import type { Tuple, Value } from '../values/value.ts'

/** The action and parameters of a step. */
export interface Call {
  readonly action: string
  readonly parameters: readonly Value[]
}

/** A state that the specification may be in, and how it was reached. */
export interface Reached {
  readonly state: Tuple
  readonly from: Reached | undefined
  /** Undefined for an initial state. */
  readonly by: Call | undefined
  /** Index of the event; -1 before the first. Silent steps belong to the event after them. */
  readonly event: number
}

/** A bound of the search was reached before a verdict. */
export class BoundReached extends Error {
  override readonly name = 'BoundReached'
  /** Two of the open states, if there are too many. */
  readonly open: readonly [Reached, Reached] | undefined

  constructor(message: string, open?: readonly [Reached, Reached]) {
    super(message)
    this.open = open
  }
}

/** Distinct states, in the order found. */
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

  /** @returns undefined if the state is known */
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
        `more than ${this.#width} states are open at once: raise --width, or try --depth-first, which may need fewer`,
        [this.states[0]!, this.states[1] ?? reached],
      )
    }
    this.#known.add(reached.state)
    this.states.push(reached)
  }
}

/** One entry per state; the last for equal states. */
export function distinct(states: readonly Reached[]): readonly Reached[] {
  return [...new Map(states.map((one) => [one.state, one])).values()]
}
