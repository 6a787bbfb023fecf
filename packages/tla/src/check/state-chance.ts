/**
 * Chance for specifications that ask for it (RandomElement, RandomSubset): the same in a state whenever it is evaluated, so that
 * exploration is a function of the seed, and a behaviour that is computed again goes the same way.
 *
 * Seeded by the values of the state when the first number is drawn: most specifications never draw any.
 */
import { type Chance, chance } from '../../../norn/src/tape/chance.ts'
import { hashOf } from '../values/hash.ts'
import type { Canonical } from '../values/value.ts'

export class StateChance implements Chance {
  readonly #seed: number
  readonly #state: readonly (Canonical | undefined)[]
  #drawn: Chance | undefined

  /** @param state read when the first number is drawn in it */
  constructor(seed: number, state: readonly (Canonical | undefined)[]) {
    this.#seed = seed
    this.#state = state
  }

  /** Another state has come. */
  enter(): void {
    this.#drawn = undefined
  }

  bits(): number {
    return this.#chance().bits()
  }
  unit(): number {
    return this.#chance().unit()
  }
  integer(min: number, max: number): number {
    return this.#chance().integer(min, max)
  }
  bigint(min: bigint, max: bigint): bigint {
    return this.#chance().bigint(min, max)
  }
  coin(probability: number): boolean {
    return this.#chance().coin(probability)
  }

  #chance(): Chance {
    this.#drawn ??= chance(this.#seed, ...this.#state.map((value) => (value === undefined ? 0 : hashOf(value))))
    return this.#drawn
  }
}
