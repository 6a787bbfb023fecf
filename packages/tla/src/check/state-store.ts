/**
 * The set of distinct states, compared exactly.
 *
 * A state is a row of codes (`Arena.code`), one 32-bit word per variable, in a hash table with open
 * addressing and linear probing (Knuth, "The Art of Computer Programming" 3, 6.4), compared word by
 * word. TLC stores 64-bit fingerprints instead, which can collide.
 *
 * States are numbered from 0 in the order found, so the queue of a breadth-first search is an
 * index. Under VIEW or SYMMETRY each state has a *key*, stored separately, and keys are compared.
 *
 * Memory per state, in bytes: 4 for each variable, 4 for the parent, 4 for each word of a key, and
 * 8 to 16 for the table. Rows are in chunks that never move, so growing copies only the table.
 */

const ROWS_IN_CHUNK = 1 << 14
const CHUNK_SHIFT = 14
const CHUNK_MASK = ROWS_IN_CHUNK - 1
const FIRST_TABLE = 1 << 12
/** Table slots are 32-bit numbers, and at most half of them are occupied. */
const MAX_STATES = 2 ** 30

/** The parent of an initial state. */
export const NO_PARENT = -1

/** Returned by `add` for a new state without room for it. */
export const NO_ROOM = -(2 ** 31)

export interface StateStoreOptions {
  /** Number of variables. */
  readonly width: number
  /** Number of words of a key; by default the state is its own key. */
  readonly keyWidth?: number
  /** Maximum number of states. */
  readonly maxStates?: number
  /** Maximum size, in bytes. */
  readonly maxBytes?: number
}

export class StateStore {
  readonly width: number
  readonly #keyWidth: number
  readonly #hasKeys: boolean
  readonly #maxStates: number
  readonly #maxBytes: number
  readonly #rows: Int32Array[] = []
  /** The rows themselves unless there are keys. */
  readonly #keys: Int32Array[]
  readonly #parents: Int32Array[] = []
  /** One more than the number of a state; 0 is empty. */
  #table = new Int32Array(FIRST_TABLE)
  #mask = FIRST_TABLE - 1
  #size = 0

  constructor({ width, keyWidth, maxStates = MAX_STATES, maxBytes = Number.POSITIVE_INFINITY }: StateStoreOptions) {
    this.width = width
    this.#hasKeys = keyWidth !== undefined
    this.#keyWidth = keyWidth ?? width
    this.#keys = this.#hasKeys ? [] : this.#rows
    this.#maxStates = Math.min(maxStates, MAX_STATES)
    this.#maxBytes = maxBytes
  }

  /** Number of states. */
  get size(): number {
    return this.#size
  }

  /** Size without the values in the arena. */
  get bytes(): number {
    return this.#rows.length * this.#chunkBytes() + this.#table.byteLength
  }

  /**
   * Adds a state if it is new.
   *
   * @param row has its codes, from `offset`
   * @param key has its key, from `keyOffset`: the row itself unless there are keys
   * @param parent the state it was found from, or `NO_PARENT`
   * @returns its number if it is new; `-1 - number` if it is known; `NO_ROOM` if it is new and
   *   there is no room
   */
  add(row: Int32Array, offset: number, parent: number, key: Int32Array = row, keyOffset: number = offset): number {
    const place = this.#find(key, keyOffset)
    const known = this.#table[place]!
    if (known !== 0) return -known
    const number = this.#size
    const chunk = number >> CHUNK_SHIFT
    if (number >= this.#maxStates || (chunk === this.#rows.length && !this.#addChunk())) return NO_ROOM
    const at = number & CHUNK_MASK
    copyWords(row, offset, this.#rows[chunk]!, at * this.width, this.width)
    if (this.#hasKeys) copyWords(key, keyOffset, this.#keys[chunk]!, at * this.#keyWidth, this.#keyWidth)
    this.#parents[chunk]![at] = parent
    this.#table[place] = ++this.#size
    if (this.#size * 2 > this.#mask && !this.#grow()) {
      // Undo: a search for an absent key would never end in a full table.
      this.#table[place] = 0
      this.#size--
      return NO_ROOM
    }
    return number
  }

  /** Whether a state with this key is stored. */
  has(key: Int32Array, keyOffset = 0): boolean {
    return this.#table[this.#find(key, keyOffset)] !== 0
  }

  /** The code of a variable in a state. */
  codeAt(number: number, variable: number): number {
    return this.#rows[number >> CHUNK_SHIFT]![(number & CHUNK_MASK) * this.width + variable]!
  }

  /** The state it was found from, or `NO_PARENT`. */
  parentOf(number: number): number {
    return this.#parents[number >> CHUNK_SHIFT]![number & CHUNK_MASK]!
  }

  #find(key: Int32Array, keyOffset: number): number {
    const width = this.#keyWidth
    const table = this.#table
    const mask = this.#mask
    let place = hashWords(key, keyOffset, width) & mask
    for (;;) {
      const known = table[place]!
      if (known === 0) return place
      const words = this.#keys[(known - 1) >> CHUNK_SHIFT]!
      let at = ((known - 1) & CHUNK_MASK) * width
      let index = 0
      while (index < width && words[at] === key[keyOffset + index]) {
        at++
        index++
      }
      if (index === width) return place
      place = (place + 1) & mask
    }
  }

  #chunkBytes(): number {
    return ROWS_IN_CHUNK * 4 * (this.width + 1 + (this.#hasKeys ? this.#keyWidth : 0))
  }

  #addChunk(): boolean {
    if (this.bytes + this.#chunkBytes() > this.#maxBytes) return false
    try {
      const rows = new Int32Array(ROWS_IN_CHUNK * this.width)
      const keys = this.#hasKeys ? new Int32Array(ROWS_IN_CHUNK * this.#keyWidth) : undefined
      this.#parents.push(new Int32Array(ROWS_IN_CHUNK))
      if (keys !== undefined) this.#keys.push(keys)
      this.#rows.push(rows)
      return true
    } catch (error) {
      return noMemory(error)
    }
  }

  #grow(): boolean {
    const length = this.#table.length * 2
    if (this.bytes + length * 4 > this.#maxBytes) return false
    let table: Int32Array<ArrayBuffer>
    try {
      table = new Int32Array(length)
    } catch (error) {
      return noMemory(error)
    }
    const mask = length - 1
    const width = this.#keyWidth
    for (let number = 0; number < this.#size; number++) {
      let place = hashWords(this.#keys[number >> CHUNK_SHIFT]!, (number & CHUNK_MASK) * width, width) & mask
      while (table[place] !== 0) place = (place + 1) & mask
      table[place] = number + 1
    }
    this.#table = table
    this.#mask = mask
    return true
  }
}

/** Failed allocations of typed arrays throw a RangeError. */
function noMemory(error: unknown): false {
  if (error instanceof RangeError) return false
  throw error
}

/** Word by word: rows are short, and `TypedArray.set` has a fixed cost. */
function copyWords(from: Int32Array, at: number, into: Int32Array, offset: number, count: number): void {
  for (let index = 0; index < count; index++) into[offset + index] = from[at + index]!
}

/** MurmurHash3 over the words. */
function hashWords(words: Int32Array, offset: number, count: number): number {
  let hash = count
  for (let index = 0; index < count; index++) {
    let word = Math.imul(words[offset + index]!, 0xcc9e2d51)
    word = (word << 15) | (word >>> 17)
    hash ^= Math.imul(word, 0x1b873593)
    hash = (hash << 13) | (hash >>> 19)
    hash = (Math.imul(hash, 5) + 0xe6546b64) | 0
  }
  hash ^= hash >>> 16
  hash = Math.imul(hash, 0x85ebca6b)
  hash ^= hash >>> 13
  hash = Math.imul(hash, 0xc2b2ae35)
  return hash ^ (hash >>> 16)
}
