/**
 * Descent: reduces the distance of an entry to an objective by one number of its input, with large
 * steps, then smaller ones (pattern search, Hooke and Jeeves 1961, in one dimension). Distances are
 * mostly piecewise linear in a number, so some forty executions reach the minimum, where random
 * mutation takes thousands.
 *
 * Invariants: the distance of the entry never grows; it takes at most MAX_TRIES executions.
 */
import type { Choices } from '../../contract/choices.ts'
import type { Observation } from '../../contract/observation.ts'
import type { FollowUp, Pursuit } from './pursuit.ts'

const MAX_TRIES = 96
/** The ratio of a step to the next smaller one. */
const SHRINKAGE = 4n

export class Descent implements FollowUp {
  readonly pursuit: Pursuit
  readonly #at: number
  #step: bigint
  #up = true
  /** Whether the other direction needs no try. */
  #turned = false
  #tries = 0

  /** @param at index of the number among the choices of the input */
  constructor(pursuit: Pursuit, at: number) {
    this.pursuit = pursuit
    this.#at = at
    const { min, max } = pursuit.entry.record.input[at]!
    this.#step = 1n << BigInt(Math.max(0, (BigInt(max) - BigInt(min)).toString(2).length - 3))
  }

  next(): Choices | undefined {
    while (this.#step > 0n && this.#tries < MAX_TRIES) {
      const candidate = this.#candidate
      if (candidate !== undefined) return candidate
      this.#turn()
    }
    return undefined
  }

  judge(observation: Observation | undefined): boolean {
    this.#tries++
    const isNearer = this.pursuit.takesNearer(observation)
    if (isNearer) this.#turned = true
    else this.#turn()
    return isNearer
  }

  #turn(): void {
    if (this.#turned) {
      // Step 1 is never skipped: it reaches distance 0.
      this.#step = this.#step > 1n && this.#step < SHRINKAGE ? 1n : this.#step / SHRINKAGE
      this.#turned = false
    } else {
      this.#up = !this.#up
      this.#turned = true
    }
  }

  get #candidate(): Choices | undefined {
    const { record } = this.pursuit.entry
    const choice = record.input[this.#at]
    if (choice === undefined) return undefined
    const value = BigInt(choice.value) + (this.#up ? this.#step : -this.#step)
    if (value < BigInt(choice.min) || value > BigInt(choice.max)) return undefined
    const typed = typeof choice.value === 'bigint' ? value : Number(value)
    return { ...record, input: record.input.map((each, at) => (at === this.#at ? { ...choice, value: typed } : each)) }
  }
}
