/**
 * Deterministic pseudo-random numbers: the generator `sfc32` (Chris Doty-Humphrey, PractRand),
 * seeded from words by a mixing function so that neighbouring seeds give unrelated sequences.
 *
 * Invariant: the sequence is a function of the seed words alone, on every machine and platform.
 */
export interface Random {
  /** A uniform integer in [min, max], both inclusive; the range has at most 2^32 integers. */
  integer(min: number, max: number): number
  /** True with the given probability. */
  coin(probability: number): boolean
}

const WORDS = 2 ** 32

export function randomFrom(...seedWords: readonly number[]): Random {
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
  for (const word of seedWords) {
    a ^= mix(word >>> 0)
    b ^= mix(Math.floor(word / WORDS) >>> 0)
    for (let round = 0; round < 12; round++) bits()
  }
  return {
    integer: (min, max) => min + Math.floor((bits() * (max - min + 1)) / WORDS),
    coin: (probability) => bits() / WORDS < probability,
  }
}

/** Spreads the bits of a 32-bit word (the finaliser of MurmurHash3). */
function mix(word: number): number {
  let hash = word | 0
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}
