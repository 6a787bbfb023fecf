/**
 * Descent: brings an entry nearer to an objective by one number of its input. The number whose
 * mutation came nearer is moved by large steps, then by smaller ones, as long as that comes nearer
 * (pattern search, Hooke and Jeeves 1961, in one dimension): where a distance follows from a number
 * as it mostly does, piece by piece a straight line, some forty executions reach the bottom that
 * mutations by chance take thousands to find.
 *
 * Invariants: the entry never gets further away; at most MAX_TRIES executions are spent.
 */
import type { Choices } from '../../contract/choices.ts'
import type { Observation } from '../../contract/observation.ts'
import type { FollowUp } from './follow-up.ts'
import type { Pursuit } from './pursuit.ts'

const MAX_TRIES = 96
/** From one step to the next smaller one. */
const SHRINKAGE = 4n

export class Descent implements FollowUp {
  readonly pursuit: Pursuit
  readonly #at: number
  #step: bigint
  /** Whether the next candidate goes up, and whether it repeats a step that paid. */
  #up = true
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
    // The way back is known.
    if (isNearer) this.#turned = true
    else this.#turn()
    return isNearer
  }

  #turn(): void {
    if (this.#turned) {
      // Not past 1, which is what brings the last distance to 0.
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
