/** Pseudo-random numbers as generators of histories draw them. */
import { randomFrom as numbersFrom } from '#shared/random'

export interface Random {
  /** A uniform integer from 0 to below `bound`, which is at most 2^32. */
  below(bound: number): number
  /** True with the given probability. */
  coin(probability: number): boolean
  /** One of them. */
  pick<Item>(items: readonly Item[]): Item
}

/** @param seeds integers */
export function randomFrom(...seeds: readonly number[]): Random {
  const { integer, coin } = numbersFrom(...seeds)
  const below = (bound: number) => integer(0, bound - 1)
  return { below, coin, pick: (items) => items[below(items.length)]! }
}
