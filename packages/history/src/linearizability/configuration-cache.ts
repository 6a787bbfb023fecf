/**
 * The configurations that a search has been in: which required operations are linearised, which
 * optional ones were used, and the state.
 *
 * Required ones are kept from the first that is missing on, so that an entry takes as many words as
 * there is concurrency, however long the history. A configuration is covered by one that has used
 * fewer optional operations: whatever follows here can follow there.
 */
import { column } from './column.ts'
import type { Memory } from './memory.ts'

export type Remembered = 'new' | 'covered' | 'no memory'

/** Of an entry: hash, state, first missing operation, words of required ones, words of optional ones. */
const HEAD = 5

export class ConfigurationCache {
  readonly #memory: Memory
  #table = column(Int32Array, 64)
  #arena = column(Int32Array, 512)
  #used = 1
  #count = 0
  #bytes = 4 * (64 + 512)

  constructor(memory: Memory) {
    this.#memory = memory
    memory.count(this.#bytes)
  }

  /**
   * @param hash of the state and the required operations
   * @param first the first required operation that is not linearised
   * @param from the first word of `required` that counts
   * @param to the word after the last
   * @param optionalTo the word after the last of `optional` that may hold one
   */
  add(
    hash: number,
    state: number,
    first: number,
    required: Int32Array,
    from: number,
    to: number,
    optional: Int32Array,
    optionalTo: number,
  ): Remembered {
    if (this.covers(hash, state, first, required, from, to, optional, optionalTo)) return 'covered'
    const words = wordsUsed(optional, optionalTo)
    const size = HEAD + to - from + words
    if (!this.#makeRoom(size)) return 'no memory'
    const at = this.#used
    const into = this.#arena
    into[at] = hash
    into[at + 1] = state
    into[at + 2] = first
    into[at + 3] = to - from
    into[at + 4] = words
    let word = at + HEAD
    for (let index = from; index < to; index++) into[word++] = required[index]!
    for (let index = 0; index < words; index++) into[word++] = optional[index]!
    this.#used += size
    this.#insert(hash, at)
    return 'new'
  }

  /** Whether it has been added, or one that covers it; the parameters are those of {@link add}. */
  covers(
    hash: number,
    state: number,
    first: number,
    required: Int32Array,
    from: number,
    to: number,
    optional: Int32Array,
    optionalTo: number,
  ): boolean {
    const words = wordsUsed(optional, optionalTo)
    const table = this.#table
    const arena = this.#arena
    const mask = table.length - 1
    let slot = (hash ^ (hash >>> 16)) & mask
    for (let at = table[slot]!; at !== 0; slot = (slot + 1) & mask, at = table[slot]!) {
      if (arena[at] !== hash || arena[at + 1] !== state || arena[at + 2] !== first) continue
      // The same first missing operation and the same operations linearised make the same window.
      const length = arena[at + 3]!
      if (length !== to - from) continue
      let word = at + HEAD
      let index = from
      while (index < to && arena[word] === required[index]) {
        index++
        word++
      }
      if (index < to) continue
      const others = arena[at + 4]!
      if (others > words) continue
      index = 0
      while (index < others && (arena[word + index]! & ~optional[index]!) === 0) index++
      if (index === others) return true
    }
    return false
  }

  /** Gives back its memory. */
  release(): void {
    this.#memory.release(this.#bytes)
    this.#bytes = 0
    this.#table = new Int32Array(0)
    this.#arena = new Int32Array(0)
  }

  #insert(hash: number, at: number): void {
    const mask = this.#table.length - 1
    let slot = (hash ^ (hash >>> 16)) & mask
    while (this.#table[slot] !== 0) slot = (slot + 1) & mask
    this.#table[slot] = at
    this.#count++
  }

  #makeRoom(size: number): boolean {
    if (this.#used + size > this.#arena.length) {
      const length = Math.max(2 * this.#arena.length, this.#used + size)
      // Both exist while the old one is copied, but only one afterwards.
      if (!this.#take(4 * (length - this.#arena.length))) return false
      const larger = column(Int32Array, length)
      larger.set(this.#arena)
      this.#arena = larger
    }
    if (2 * this.#count >= this.#table.length) {
      if (!this.#take(4 * this.#table.length)) return false
      const old = this.#table
      this.#table = column(Int32Array, 2 * old.length)
      this.#count = 0
      for (const at of old) if (at !== 0) this.#insert(this.#arena[at]!, at)
    }
    return true
  }

  #take(bytes: number): boolean {
    if (!this.#memory.take(bytes)) return false
    this.#bytes += bytes
    return true
  }
}

function wordsUsed(optional: Int32Array, to: number): number {
  let words = to
  while (words > 0 && optional[words - 1] === 0) words--
  return words
}
