/** Bounds on the work of a check. */
import type { LinearizabilityOptions } from './result.ts'

/** Steps between two looks at the clock. */
const STEPS_PER_LOOK = 500

interface Resumable<Status> {
  /** Goes on for some steps; a status other than `out of steps` is final. */
  run(steps: number): Status | 'out of steps'
}

export class Budget {
  readonly #now: () => number
  #deadline: number
  readonly #reasons: { readonly steps: string; readonly time: string }
  #steps: number
  /** Why nothing more may be done. */
  exhausted: string | undefined

  constructor(options: Pick<LinearizabilityOptions, 'steps' | 'budgetMs' | 'now'>) {
    const { steps = Number.POSITIVE_INFINITY, budgetMs = Number.POSITIVE_INFINITY } = options
    this.#now = options.now ?? (() => performance.now())
    this.#deadline = budgetMs === Number.POSITIVE_INFINITY ? budgetMs : this.#now() + budgetMs
    this.#steps = steps
    this.#reasons = {
      steps: `the search is not done after ${steps} steps: raise the bound on steps`,
      time: `the search is not done after ${Math.ceil(budgetMs)} ms: raise the time budget`,
    }
  }

  /** A bound of its own on steps, no higher than what is left, within the same time. */
  part(steps: number): Budget {
    const part = new Budget({ steps: Math.min(steps, this.#steps), now: this.#now })
    part.#deadline = this.#deadline
    return part
  }

  /** Lets a search go on for some steps, as far as the bounds allow. */
  run<Status>(search: Resumable<Status>, steps: number): Status | 'out of steps' {
    for (let left = steps; left > 0 && !this.#isOver(); left -= STEPS_PER_LOOK) {
      const share = Math.min(left, STEPS_PER_LOOK, this.#steps)
      const status = search.run(share)
      if (status !== 'out of steps') return status
      this.#steps -= share
    }
    this.#isOver()
    return 'out of steps'
  }

  #isOver(): boolean {
    if (this.#steps === 0) this.exhausted ??= this.#reasons.steps
    else if (this.#deadline !== Number.POSITIVE_INFINITY && this.#now() > this.#deadline)
      this.exhausted ??= this.#reasons.time
    return this.exhausted !== undefined
  }
}
