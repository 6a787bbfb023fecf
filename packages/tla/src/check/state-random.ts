/**
 * Random choices of a specification (RandomElement, RandomSubset): the same in a state whenever it
 * is evaluated, so that exploration is a function of the seed, and a behaviour that is computed
 * again takes the same steps.
 *
 * Seeded by the values of the state at the first draw: most specifications never draw.
 */
import { type Random, randomFrom } from '../random.ts'
import { hashOf } from '../values/hash.ts'
import type { Canonical } from '../values/value.ts'

export class StateRandom implements Random {
  readonly #seed: number
  readonly #state: readonly (Canonical | undefined)[]
  #drawn: Random | undefined

  /** @param state read at the first draw in it */
  constructor(seed: number, state: readonly (Canonical | undefined)[]) {
    this.#seed = seed
    this.#state = state
  }

  /** The machine is in another state. */
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
