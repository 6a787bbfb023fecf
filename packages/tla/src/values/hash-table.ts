/**
 * A hash table from hashes to ids, with open addressing and linear probing. Several ids may have
 * one hash: the caller compares what they stand for. Nothing is removed but by `clear`.
 *
 *     for (let slot = table.first(hash); slot >= 0; slot = table.next(hash, slot)) table.idAt(slot)
 */
const FIRST_SIZE = 1 << 12

export class HashTable {
  /** Pairs of a hash and an id plus 1; 0 if the slot is free. */
  #slots = new Int32Array(2 * FIRST_SIZE)
  #mask = FIRST_SIZE - 1
  #size = 0

  get bytes(): number {
    return this.#slots.byteLength
  }

  /** The first slot with a hash; -1 if there is none. */
  first(hash: number): number {
    const slot = this.#home(hash)
    const id = this.#slots[slot + 1]
    if (id === 0) return -1
    return this.#slots[slot] === hash ? slot : this.next(hash, slot)
  }

  /** The next slot with the same hash; -1 if there is none. */
  next(hash: number, slot: number): number {
    const slots = this.#slots
    for (let at = this.#after(slot); slots[at + 1] !== 0; at = this.#after(at)) if (slots[at] === hash) return at
    return -1
  }

  idAt(slot: number): number {
    return this.#slots[slot + 1]! - 1
  }

  add(hash: number, id: number): void {
    this.#place(hash, id + 1)
    if (++this.#size * 2 > this.#mask) this.#grow()
  }

  clear(): void {
    this.#slots.fill(0)
    this.#size = 0
  }

  #home(hash: number): number {
    return ((hash ^ (hash >>> 15)) & this.#mask) << 1
  }

  #after(slot: number): number {
    return (slot + 2) & (2 * this.#mask + 1)
  }

  #place(hash: number, number: number): void {
    let slot = this.#home(hash)
    while (this.#slots[slot + 1] !== 0) slot = this.#after(slot)
    this.#slots[slot] = hash
    this.#slots[slot + 1] = number
  }

  #grow(): void {
    const old = this.#slots
    this.#slots = new Int32Array(old.length * 2)
    this.#mask = this.#mask * 2 + 1
    for (let slot = 0; slot < old.length; slot += 2) {
      if (old[slot + 1] !== 0) this.#place(old[slot]!, old[slot + 1]!)
    }
  }
}
