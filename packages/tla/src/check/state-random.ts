/**
 * Random choices of a specification (RandomElement, RandomSubset): the same each time a state is
 * evaluated, so that exploration is a function of the seed, and a behaviour computed again takes
 * the same steps.
 *
 * Seeded lazily by the values of the state: most specifications never draw.
 */
import { type Random, randomFrom } from '#shared/random'
import { hashOf } from '../values/hash.ts'
import type { Canonical } from '../values/value.ts'

export class StateRandom implements Random {
  readonly #seed: number
  readonly #state: readonly (Canonical | undefined)[]
  #drawn: Random | undefined

  /** @param state the machine's current state, read at the first draw */
  constructor(seed: number, state: readonly (Canonical | undefined)[]) {
    this.#seed = seed
    this.#state = state
  }

  /** To be called when the machine enters another state. */
  enter(): void {
    this.#drawn = undefined
  }

  integer(min: number, max: number): number {
    return this.#random().integer(min, max)
  }

  coin(probability: number): boolean {
    return this.#random().coin(probability)
  }

  #random(): Random {
    this.#drawn ??= randomFrom(this.#seed, ...this.#state.map((value) => (value === undefined ? 0 : hashOf(value))))
    return this.#drawn
  }
}
