/**
 * Deterministic pseudo-random numbers: the generator `sfc32` (Chris Doty-Humphrey, PractRand).
 *
 * Invariant: the sequence is a function of the seed alone, on every machine.
 */
export interface Random {
  /** A uniform integer from 0 to below `bound`, which is at most 2^32. */
  below(bound: number): number
  /** True with the given probability. */
  coin(probability: number): boolean
  /** One of them. */
  pick<Item>(items: readonly Item[]): Item
}

const WORDS = 2 ** 32

/**
 * Pseudo-random numbers from a seed.
 *
 * @param seeds integers
 */
export function randomFrom(...seeds: readonly number[]): Random {
  let a = 0x9e3779b9 | 0
  let b = 0x243f6a88
  let c = 0xb7e15162 | 0
  let counter = 1
  const bits = (): number => {
    const sum = (((a + b) | 0) + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (((c << 21) | (c >>> 11)) + sum) | 0
    return sum >>> 0
  }
  for (const seed of seeds) {
    a ^= mix(seed >>> 0)
    b ^= mix(Math.floor(seed / WORDS) >>> 0)
    for (let round = 0; round < 12; round++) bits()
  }
  const below = (bound: number) => Math.floor((bits() * bound) / WORDS)
  return {
    below,
    coin: (probability) => bits() / WORDS < probability,
    pick: (items) => items[below(items.length)]!,
  }
}

/** Spreads the bits of a 32-bit word (the finaliser of MurmurHash3). */
function mix(word: number): number {
  let hash = word | 0
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}
