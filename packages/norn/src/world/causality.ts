/**
 * Causality: which step started which, and the labels derived from it.
 *
 * A step is one run of the program between two returns to the loop, with the ticks and microtasks
 * it drains. The first child of a step continues its chain; every further child begins a chain of
 * its own (the chain decomposition of PCTCP). Invariant: a label `chain:index` is unique in an
 * execution and depends only on its causes, never on the order of unrelated steps.
 */
export class Step {
  /**
   * The name says where the chain leaves another: `0` is the body; `0/3.1` left it at step 3, as
   * its 2nd child.
   */
  readonly chain: string
  readonly index: number
  children = 0
  /** How many wake-up latencies were drawn for it. */
  wakes = 0
  #label: string | undefined

  constructor(chain: string, index: number) {
    this.chain = chain
    this.index = index
  }

  /** Computed on first use: most labels are never read. */
  get label(): string {
    return (this.#label ??= `${this.chain}:${this.index}`)
  }
}

export class Causality {
  #current: Step = rootStep()
  #chains = 1

  /** The running step, or the last one that ran. */
  get current(): Step {
    return this.#current
  }

  /** The number of chains so far. */
  get chains(): number {
    return this.#chains
  }

  reset(): void {
    this.#current = rootStep()
    this.#chains = 1
  }

  /** Creates a step caused by `parent`; it does not run yet. */
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
