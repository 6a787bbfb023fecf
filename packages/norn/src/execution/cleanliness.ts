/**
 * How often the objects of the process (the language's, those of builtins, globals) are looked
 * through for changes that an execution left behind, and put back.
 *
 * Doing it costs more than a small execution does, and hardly a program needs it. So the first
 * executions of a process are checked one by one, as what a program changes it mostly changes when
 * it is loaded; once a change was seen, all are, for good. Else they are checked less and less
 * often, at the least once in PERIOD, and each that does not pass.
 *
 * Invariants: no failure, void or explanation comes from what an earlier execution left: an
 * execution that does not pass while there were unchecked ones before it, and something is found
 * changed, is run again in a clean process and counts as that. When is a function of what was
 * executed, so a campaign stays a function of its seed. The price: up to PERIOD - 1 passing
 * executions, once in a process, may have passed in a process that was not clean.
 */
export const ONE_BY_ONE = 16
export const PERIOD = 256

export class Cleanliness {
  readonly #restoreObjects: () => boolean
  #oneByOne = ONE_BY_ONE
  #period = ONE_BY_ONE
  #unchecked = 0
  #changes = 0

  /**
   * @param restoreObjects puts the objects back between executions; whether any had been changed
   */
  constructor(restoreObjects: () => boolean) {
    this.#restoreObjects = restoreObjects
  }

  /** Runs an execution, which is told whether to check the objects itself as it ends. */
  async keep<Result extends Checked>(execute: (check: boolean) => Promise<Result>): Promise<Result> {
    const check = this.#oneByOne > 0 || this.#unchecked >= this.#period - 1
    const uncheckedBefore = this.#unchecked
    const result = await execute(check)
    if (!check) this.#unchecked++
    if (!check && result.verdict === 'passed') {
      if (result.report.changedObjects) this.#checked(true)
      return result
    }
    // One that does not pass may have put the objects back already, to be described.
    const restored = result.report.changedObjects
    const changed = this.#checked(check ? restored : this.#restoreObjects() || restored)
    // Unchecked, it may have passed and then broken what was to take note of that.
    const inDoubt = changed && result.verdict !== 'passed' && (!check || uncheckedBefore > 0)
    return inDoubt ? execute(true) : result
  }

  /** Makes sure, between executions, that the process is clean; whether it was not. */
  ensure(): boolean {
    return this.#unchecked === 0 ? false : this.#checked(this.#restoreObjects())
  }

  /** How many checks have found something changed. */
  get changes(): number {
    return this.#changes
  }

  /** Takes note of a check. */
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

/** What is asked of a result. */
interface Checked {
  readonly verdict: string
  readonly report: { readonly changedObjects: boolean }
}
