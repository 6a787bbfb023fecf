/**
 * Decides after which executions the process's objects (language, builtins, globals) are checked
 * for changes and restored.
 *
 * A check costs more than a small execution, and few programs change such objects, mostly while
 * they load. So the first executions of a process are checked one by one. After a change, every
 * execution is checked from then on; otherwise checks become rarer, down to one in PERIOD, and one
 * for each execution that does not pass.
 *
 * Invariants: changes of an earlier execution cause no failure, inconclusive result or explanation.
 * An execution that does not pass after unchecked ones, where a check finds a change, runs again in
 * the restored process, and only the second run counts. Checks depend on the executions alone, so a
 * campaign remains a function of its seed. The price: once in a process, up to PERIOD - 1
 * executions may have passed with changed objects.
 */
export const ONE_BY_ONE = 16
export const PERIOD = 256

export class Cleanliness {
  readonly #restoreObjects: () => boolean
  #oneByOne = ONE_BY_ONE
  #period = ONE_BY_ONE
  #unchecked = 0
  #changes = 0

  /** @param restoreObjects restores the objects between executions; whether any had changed */
  constructor(restoreObjects: () => boolean) {
    this.#restoreObjects = restoreObjects
  }

  /** Whether the next execution must check the objects itself. */
  get isDue(): boolean {
    return this.#oneByOne > 0 || this.#unchecked >= this.#period - 1
  }

  /**
   * Takes an execution that has ended; returns whether it is in doubt, and must run again, checked.
   *
   * @param wasChecked whether it checked the objects itself
   */
  isInDoubt(result: Checked, wasChecked: boolean): boolean {
    const uncheckedBefore = this.#unchecked
    if (!wasChecked) this.#unchecked++
    const restored = result.report.changedObjects
    if (!wasChecked && result.verdict === 'passed') {
      if (restored) this.#checked(true)
      return false
    }
    // An execution that does not pass may have restored the objects, to be described.
    const changed = this.#checked(wasChecked ? restored : this.#restoreObjects() || restored)
    // An unchecked one may have passed and then broken the code that records the verdict.
    return changed && result.verdict !== 'passed' && (!wasChecked || uncheckedBefore > 0)
  }

  /** Restores the process between executions; whether anything had changed. */
  ensure(): boolean {
    return this.#unchecked === 0 ? false : this.#checked(this.#restoreObjects())
  }

  /** The number of checks that found a change. */
  get changes(): number {
    return this.#changes
  }

  #checked(changed: boolean): boolean {
    if (changed) {
      this.#changes++
      this.#oneByOne = Number.POSITIVE_INFINITY
    }
    if (this.#oneByOne > 0) this.#oneByOne--
    else this.#period = Math.min(PERIOD, 2 * this.#period)
    this.#unchecked = 0
    return changed
  }
}

interface Checked {
  readonly verdict: string
  readonly report: { readonly changedObjects: boolean }
}
