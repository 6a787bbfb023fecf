/**
 * Causality: which step started which, and the labels derived from it.
 *
 * A step is one run of the program between two returns to the loop, with the ticks and microtasks
 * it drains. The first child of a step continues its chain; every further child begins a chain of
 * its own (the chain decomposition of PCTCP). Invariant: a label `chain:index` is unique in an
 * execution and depends only on its causes, never on the order of unrelated steps.
 */
import { Isolate } from './isolate.ts'

export class Step {
  /**
   * The name says where the chain leaves another: `0` is the body; `0/3.1` left it at step 3, as
   * its 2nd child.
   */
  readonly chain: string
  readonly index: number
  /** Which started it, and by default runs it. */
  readonly isolate: Isolate
  children = 0
  /** The latency that it has at least, in microseconds; what is drawn comes on top. */
  leastUs = 0
  /** How many wake-up latencies were drawn for it. */
  wakes = 0
  /** How many stalls were drawn within it, by the operation before which they were. */
  stalls: Record<string, number> | undefined
  #label: string | undefined

  constructor(chain: string, index: number, isolate: Isolate) {
    this.chain = chain
    this.index = index
    this.isolate = isolate
  }

  /** Computed on first use: most labels are never read. */
  get label(): string {
    return (this.#label ??= `${this.chain}:${this.index}`)
  }
}

/** Learns of steps, while explaining. */
export interface Watch {
  child(child: Step, parent: Step): void
  begins(step: Step, isolate: Isolate): void
}

export class Causality {
  #main = new Isolate(0, undefined)
  #isolate = this.#main
  #current: Step = rootStep(this.#isolate)
  #chains = 1
  /** The last step of each isolate beside the body's. */
  readonly #last = new Map<Isolate, Step>()
  readonly #entering: (from: Isolate, to: Isolate) => void
  #watch: Watch | undefined

  /** @param entering called when another isolate begins to run */
  constructor(entering: (from: Isolate, to: Isolate) => void = () => {}) {
    this.#entering = entering
  }

  /** The isolate of the body. */
  get main(): Isolate {
    return this.#main
  }

  /** The running isolate. */
  get isolate(): Isolate {
    return this.#isolate
  }

  /** The running step, or the last one that ran. */
  get current(): Step {
    return this.#current
  }

  /** The number of chains so far. */
  get chains(): number {
    return this.#chains
  }

  reset(watch?: Watch): void {
    this.#watch = watch
    this.#isolate = this.#main = new Isolate(0, undefined)
    this.#current = rootStep(this.#isolate)
    this.#chains = 1
    if (this.#last.size > 0) this.#last.clear()
  }

  /** Creates a step caused by `parent`; it does not run yet. */
  child(parent: Step = this.#current): Step {
    const ordinal = parent.children++
    if (ordinal > 0) this.#chains++
    const child =
      ordinal === 0
        ? new Step(parent.chain, parent.index + 1, this.#isolate)
        : new Step(`${parent.chain}/${parent.index}.${ordinal}`, 1, this.#isolate)
    this.#watch?.child(child, parent)
    return child
  }

  /** @param isolate which runs the step: another than started it, if it comes from there */
  begin(next: Step, isolate: Isolate = next.isolate): void {
    this.#current = next
    if (isolate !== this.#main) this.#last.set(isolate, next)
    this.#watch?.begins(next, isolate)
    this.enter(isolate)
  }

  /** Goes on with the last step of an isolate. @param runner which runs it in its place */
  resume(isolate: Isolate, runner: Isolate = isolate): void {
    const last = this.#last.get(isolate)
    if (last !== undefined) this.#current = last
    this.enter(runner)
  }

  enter(isolate: Isolate): void {
    const from = this.#isolate
    if (from === isolate) return
    this.#isolate = isolate
    this.#entering(from, isolate)
  }
}

function rootStep(isolate: Isolate): Step {
  return new Step('0', 0, isolate)
}
