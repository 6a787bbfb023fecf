/** The writes (or appends) of a history, found by their key and value. Columns, no object for each. */
import type { Codes } from './codes.ts'

export class Writes {
  count = 0
  /** By write: its transaction, its key, and its micro-operation counted through the history. */
  readonly transaction: Int32Array
  readonly key: Int32Array
  readonly micro: Int32Array
  /** By write: 1 if its transaction writes the key again. */
  readonly isOverwritten: Uint8Array
  readonly #code: Int32Array
  readonly #codes: Codes
  /** Open addressing: writes plus 1. */
  readonly #slots: Int32Array

  constructor(capacity: number, codes: Codes) {
    this.#codes = codes
    this.transaction = new Int32Array(capacity)
    this.key = new Int32Array(capacity)
    this.micro = new Int32Array(capacity)
    this.isOverwritten = new Uint8Array(capacity)
    this.#code = new Int32Array(capacity)
    this.#slots = new Int32Array(slotsFor(capacity))
  }

  /** The write, or -1 if the value was never written to the key. */
  find(key: number, value: unknown): number {
    return this.#slots[this.#slot(key, this.#codes.of(value))]! - 1
  }

  /** @returns the write, or -1 if it is in the table already */
  add(key: number, value: unknown, transaction: number, micro: number): number {
    const code = this.#codes.of(value)
    const slot = this.#slot(key, code)
    if (this.#slots[slot] !== 0) return -1
    const write = this.count++
    this.#slots[slot] = write + 1
    this.key[write] = key
    this.#code[write] = code
    this.transaction[write] = transaction
    this.micro[write] = micro
    return write
  }

  #slot(key: number, code: number): number {
    const mask = this.#slots.length - 1
    let hash = Math.imul(key, 0x9e3779b1) + Math.imul(code, 0x85ebca6b)
    hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
    for (let slot = (hash ^ (hash >>> 13)) & mask; ; slot = (slot + 1) & mask) {
      const write = this.#slots[slot]! - 1
      if (write < 0 || (this.#code[write] === code && this.key[write] === key)) return slot
    }
  }
}

const slotsFor = (capacity: number) => 2 ** Math.ceil(Math.log2(Math.max(8, capacity * 1.5)))

/** Of `Writes`, in bytes. */
export const bytesOfWrites = (capacity: number) => capacity * 17 + slotsFor(capacity) * 4
