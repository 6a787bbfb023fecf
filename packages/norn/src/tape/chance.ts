/**
 * Deterministic pseudo-random numbers: the generator `sfc32` (Chris Doty-Humphrey, PractRand),
 * seeded from words by a mixing function so that neighbouring seeds give unrelated sequences.
 *
 * Invariant: the sequence is a function of the seed words alone, on every machine and Node version.
 */
export interface Chance {
  /** The next 32 random bits, as an unsigned integer. */
  bits(): number
  /** A float in [0, 1). */
  unit(): number
  /** The same, with the 53 bits that a number has. */
  fineUnit(): number
  /** A uniform integer in [min, max], both inclusive; the range may span all safe integers. */
  integer(min: number, max: number): number
  /** A uniform bigint in [min, max], both inclusive. */
  bigint(min: bigint, max: bigint): bigint
  /** True with the given probability. */
  coin(probability: number): boolean
  /** One that goes on alike, apart from this one. */
  copy(): Chance
}

export function chance(...seedWords: readonly number[]): Chance {
  const generator = new Sfc32()
  for (let i = 0; i < seedWords.length; i++) generator.stir(seedWords[i]!)
  return generator
}

/** A class, since closures over the state would allocate seven objects in each execution. */
class Sfc32 implements Chance {
  #a = 0x9e3779b9 | 0
  #b = 0x243f6a88
  #c = 0xb7e15162 | 0
  #counter = 1

  stir(word: number): void {
    this.#a ^= mix(word >>> 0)
    this.#b ^= mix(Math.floor(word / 0x1_0000_0000) >>> 0)
    for (let round = 0; round < 12; round++) this.bits()
  }

  bits(): number {
    const b = this.#b
    const c = this.#c
    const t = (((this.#a + b) | 0) + this.#counter) | 0
    this.#counter = (this.#counter + 1) | 0
    this.#a = b ^ (b >>> 9)
    this.#b = (c + (c << 3)) | 0
    this.#c = (((c << 21) | (c >>> 11)) + t) | 0
    return t >>> 0
  }

  unit(): number {
    return this.bits() / 0x1_0000_0000
  }

  fineUnit(): number {
    // What has just become a part of the state fills up the 32 bits.
    return (this.bits() * 0x20_0000 + (this.#c >>> 11)) / 2 ** 53
  }

  integer(min: number, max: number): number {
    const width = max - min + 1
    if (width <= 0x1_0000_0000) return min + Math.floor((this.bits() * width) / 0x1_0000_0000)
    return Number(this.bigint(BigInt(min), BigInt(max)))
  }

  bigint(min: bigint, max: bigint): bigint {
    const width = max - min + 1n
    let drawn = 0n
    // 64 bits more than the width needs: the bias of the remainder is below 2^-64.
    for (let have = 0; have < width.toString(2).length + 64; have += 32) drawn = (drawn << 32n) | BigInt(this.bits())
    return min + (drawn % width)
  }

  coin(probability: number): boolean {
    return this.unit() < probability
  }

  copy(): Chance {
    const copy = new Sfc32()
    ;[copy.#a, copy.#b, copy.#c, copy.#counter] = [this.#a, this.#b, this.#c, this.#counter]
    return copy
  }
}

/** Spreads the bits of a 32-bit word (the finaliser of MurmurHash3). */
export function mix(word: number): number {
  let h = word | 0
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return (h ^ (h >>> 16)) >>> 0
}
