/**
 * Causality: which step of an execution started which, and the names that follow from it.
 *
 * A step is one run of the program between two returns to the loop: the main script, a callback, a timer, an immediate,
 * with all the ticks and microtasks it drains. Whatever a step starts is its child. The first child continues the
 * step's chain; every further child begins a chain of its own (the chain decomposition of PCTCP).
 *
 * Invariant: a step's label `chain:index` is unique in an execution and depends only on the path of causes that led to
 * it, never on the order in which unrelated steps ran. That is what lets a choice stay with its operation.
 */
export interface Step {
  /** Chains are named by where they leave another: `0` is the body; `0/3.1` left it at step 3, as its 2nd child. */
  readonly chain: string
  readonly index: number
  readonly label: string
  children: number
  /** How often the loop was asked to be late for it. */
  wakes: number
}

export class Causality {
  #current: Step = rootStep()
  #chains = 1

  /** The step that is running, or ran last. */
  get current(): Step {
    return this.#current
  }

  /** How many chains there have been. */
  get chains(): number {
    return this.#chains
  }

  reset(): void {
    this.#current = rootStep()
    this.#chains = 1
  }

  /** A new step caused by `parent`; it does not run yet. */
  child(parent: Step = this.#current): Step {
    const ordinal = parent.children++
    if (ordinal === 0) return step(parent.chain, parent.index + 1)
    this.#chains++
    return step(`${parent.chain}/${parent.index}.${ordinal}`, 1)
  }

  begin(next: Step): void {
    this.#current = next
  }
}

function step(chain: string, index: number): Step {
  return { chain, index, label: `${chain}:${index}`, children: 0, wakes: 0 }
}

function rootStep(): Step {
  return step('0', 0)
}
