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
export class Step {
  /** Chains are named by where they leave another: `0` is the body; `0/3.1` left it at step 3, as its 2nd child. */
  readonly chain: string
  readonly index: number
  children = 0
  /** How often the loop was asked to be late for it. */
  wakes = 0
  #label: string | undefined

  constructor(chain: string, index: number) {
    this.chain = chain
    this.index = index
  }

  /** Made when it is first asked for: most steps are never named. */
  get label(): string {
    return (this.#label ??= `${this.chain}:${this.index}`)
  }
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
    if (ordinal === 0) return new Step(parent.chain, parent.index + 1)
    this.#chains++
    return new Step(`${parent.chain}/${parent.index}.${ordinal}`, 1)
  }

  begin(next: Step): void {
    this.#current = next
  }
}

function rootStep(): Step {
  return new Step('0', 0)
}
