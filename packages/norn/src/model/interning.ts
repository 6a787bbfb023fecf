/**
 * Interning of plain data: equal values get one number and one frozen copy, so comparing states is
 * comparing numbers.
 *
 * By hash-consing (Ershov 1958, Filliâtre and Conchon 2006): a composite value is looked up by a key
 * made of the numbers of its parts. Shared parts are stored once, and a copy that comes back as a
 * part of another value is recognised by identity.
 *
 * Invariant: two values have the same number exactly if their JSON is equal, whatever the order of
 * keys: an `undefined` property counts as absent, -0 as 0, and there are no collisions. A copy shares
 * no object with its original, so freezing it does not affect the user's data.
 */
import { hasClass, isPlain, MAX_DEPTH, NOT_PLAIN, setOwn, whyNotPlain } from './plain.ts'

/** The result of `intern` for a new value when the table is full. */
export const NO_ROOM = -1

export interface InternerOptions {
  /** The approximate bound on memory, beyond which new values get no number. Default: none. */
  readonly maxBytes?: number
  /** Keeps no copies, which saves more than half the memory. */
  readonly withoutCopies?: boolean
}

/** `id` is the number of the object that ends here. */
interface Trie {
  id: number
  more: Map<string | number, Trie> | undefined
}

export class Interner {
  readonly #maxBytes: number
  readonly #keepsCopies: boolean
  readonly #primitives = new Map<unknown, number>()
  readonly #composites = new Map<string, number>()
  /** Objects, by property and part in the order of the object. */
  readonly #ordered: Trie = { id: NO_ROOM, more: undefined }
  /** Primitives and frozen copies by number; empty without copies. */
  readonly #values: unknown[] = []
  /** The numbers of the copies, which may come back as parts of other values. */
  readonly #copies = new Map<object, number>()
  #count = 0
  #bytes = 0

  constructor({ maxBytes = Number.POSITIVE_INFINITY, withoutCopies = false }: InternerOptions = {}) {
    this.#maxBytes = maxBytes
    this.#keepsCopies = !withoutCopies
  }

  /** The approximate memory of the table. */
  get bytes(): number {
    return this.#bytes
  }

  /**
   * The number of a value, from 0; `NO_ROOM` if it is new and the table is full.
   *
   * @param what names the value in the error
   * @throws TypeError with the path of a part that is not plain data
   */
  intern(value: unknown, what: string): number {
    try {
      return this.#intern(value, 0)
    } catch (error) {
      if (error !== NOT_PLAIN) throw error
      throw new TypeError(`${what} is not plain data: ${whyNotPlain(value)}`)
    }
  }

  /** The primitive or frozen copy with a number. */
  value(id: number): unknown {
    return this.#values[id]
  }

  #intern(value: unknown, depth: number): number {
    if (typeof value !== 'object' || value === null) {
      if (!isPlain(value)) throw NOT_PLAIN
      // A Map treats -0 and 0 as one key.
      return this.#primitives.get(value) ?? this.#keepPrimitive(value === 0 ? 0 : value)
    }
    const known = this.#copies.get(value)
    if (known !== undefined) return known
    if (depth > MAX_DEPTH) throw NOT_PLAIN
    return Array.isArray(value) ? this.#internArray(value, depth) : this.#internObject(value, depth)
  }

  #internArray(items: readonly unknown[], depth: number): number {
    const parts: number[] = []
    let key = '['
    for (let at = 0; at < items.length; at++) {
      const part = this.#intern(items[at], depth + 1)
      parts.push(part)
      key += `${part},`
    }
    const known = this.#composites.get(key)
    if (known !== undefined) return known
    const id = this.#number(parts, key)
    if (id === NO_ROOM) return id
    this.#composites.set(key, id)
    if (this.#keepsCopies) this.#keepCopy(parts.map((part) => this.#values[part]))
    return id
  }

  #internObject(value: object, depth: number): number {
    if (hasClass(value)) throw NOT_PLAIN
    const record = value as Record<string, unknown>
    return this.#keepsCopies ? this.#internOrdered(record, depth) : this.#internSorted(record, depth)
  }

  /** Follows the properties in their order, which most objects share, and sorts only new ones. */
  #internOrdered(record: Record<string, unknown>, depth: number): number {
    let at: Trie | undefined = this.#ordered
    for (const property of Object.keys(record)) {
      const part = this.#intern(record[property], depth + 1)
      at = part === NO_ROOM ? undefined : at && this.#below(this.#below(at, property), part)
    }
    if (at === undefined) return this.#internSorted(record, depth)
    if (at.id === NO_ROOM) at.id = this.#internSorted(record, depth)
    return at.id
  }

  #below(at: Trie, key: string | number): Trie {
    at.more ??= new Map()
    let below = at.more.get(key)
    if (below === undefined) {
      this.#bytes += ENTRY_BYTES
      at.more.set(key, (below = { id: NO_ROOM, more: undefined }))
    }
    return below
  }

  #internSorted(record: Record<string, unknown>, depth: number): number {
    const properties: string[] = []
    const parts: number[] = []
    let key = '{'
    for (const property of Object.keys(record).sort()) {
      const item = record[property]
      if (item === undefined) continue
      const place = this.#intern(property, depth + 1)
      const part = place === NO_ROOM ? NO_ROOM : this.#intern(item, depth + 1)
      properties.push(property)
      parts.push(part)
      key += `${place}:${part},`
    }
    const known = this.#composites.get(key)
    if (known !== undefined) return known
    const id = this.#number(parts, key)
    if (id === NO_ROOM) return id
    this.#composites.set(key, id)
    if (!this.#keepsCopies) return id
    const copy: Record<string, unknown> = {}
    for (let at = 0; at < properties.length; at++) setOwn(copy, properties[at]!, this.#values[parts[at]!])
    this.#keepCopy(copy)
    return id
  }

  #keepPrimitive(value: unknown): number {
    const id = this.#number(NO_PARTS, value)
    if (id === NO_ROOM) return id
    this.#primitives.set(value, id)
    if (this.#keepsCopies) this.#values.push(value)
    return id
  }

  /** A number for a new value; `NO_ROOM` if the table is full or a part has no number. */
  #number(parts: readonly number[], key: unknown): number {
    if (this.#bytes >= this.#maxBytes || parts.includes(NO_ROOM)) return NO_ROOM
    this.#bytes += ENTRY_BYTES + (typeof key === 'string' ? key.length : 0)
    if (this.#keepsCopies) this.#bytes += COPY_BYTES + parts.length * PART_BYTES
    return this.#count++
  }

  #keepCopy(copy: object): void {
    this.#copies.set(copy, this.#values.push(Object.freeze(copy)) - 1)
  }
}

const NO_PARTS: readonly number[] = []

/** Approximate memory in V8 of a table entry, of a copy, and of each part of a copy. */
const [ENTRY_BYTES, COPY_BYTES, PART_BYTES] = [100, 100, 16]
