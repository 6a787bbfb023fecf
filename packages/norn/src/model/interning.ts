/**
 * Interning of plain data: equal values get one number and one frozen copy, so that telling states
 * apart is comparing numbers.
 *
 * By hash-consing (Ershov 1958, Filliâtre and Conchon 2006): a composite value is named by the
 * numbers of its parts, and that short name is looked up. What states share is kept once, and a
 * part that has been interned before is known by identity, without being walked through again.
 *
 * Invariant: two values get one number exactly if they are equal as plain data: as JSON would write
 * them, whatever the order of keys; a property that is `undefined` counts as not being there, and
 * -0 as 0. Nothing is lost to collisions. A copy holds no object of the value that it was made of,
 * so freezing it changes nothing of the user's.
 */
import { complaint, hasClass, isPlain, MAX_DEPTH, NOT_PLAIN, setOwn } from './plain.ts'

/** What `intern` gives for a value that is new when the table is full. */
export const NO_ROOM = -1

export interface InternerOptions {
  /** Once it holds about as much, what is new gets no number. No bound unless set. */
  readonly maxBytes?: number
  /** Gives numbers only, in less than half the memory. */
  readonly withoutCopies?: boolean
}

export class Interner {
  readonly #maxBytes: number
  readonly #keepsCopies: boolean
  readonly #primitives = new Map<unknown, number>()
  readonly #composites = new Map<string, number>()
  /** The values by their numbers, composite ones as frozen copies; empty if there are no copies. */
  readonly #values: unknown[] = []
  /** The copies that were handed out, which may come back as parts of other values. */
  readonly #copies = new Map<object, number>()
  #count = 0
  #bytes = 0

  constructor({ maxBytes = Number.POSITIVE_INFINITY, withoutCopies = false }: InternerOptions = {}) {
    this.#maxBytes = maxBytes
    this.#keepsCopies = !withoutCopies
  }

  /** About how much memory it holds. */
  get bytes(): number {
    return this.#bytes
  }

  /**
   * The number of a value, from 0; `NO_ROOM` if it is new and the table is full.
   *
   * @param what what it is, for the error
   * @throws TypeError that names the place of what is no plain data
   */
  intern(value: unknown, what: string): number {
    try {
      return this.#intern(value, 0)
    } catch (error) {
      if (error !== NOT_PLAIN) throw error
      throw new TypeError(`${what} is no plain data: ${complaint(value)}`)
    }
  }

  /** The frozen copy that has a number. */
  value(id: number): unknown {
    return this.#values[id]
  }

  #intern(value: unknown, depth: number): number {
    if (typeof value !== 'object' || value === null) {
      if (!isPlain(value)) throw NOT_PLAIN
      // A Map takes -0 and 0 for one key.
      return this.#primitives.get(value) ?? this.#keepPrimitive(value === 0 ? 0 : value)
    }
    const known = this.#copies.get(value)
    if (known !== undefined) return known
    if (depth > MAX_DEPTH) throw NOT_PLAIN
    return Array.isArray(value) ? this.#internArray(value, depth) : this.#internObject(value, depth)
  }

  #internArray(items: readonly unknown[], depth: number): number {
    const parts: number[] = []
    let name = '['
    for (let at = 0; at < items.length; at++) {
      const part = this.#intern(items[at], depth + 1)
      parts.push(part)
      name += `${part},`
    }
    const known = this.#composites.get(name)
    if (known !== undefined) return known
    const id = this.#number(parts, name)
    if (id === NO_ROOM) return id
    this.#composites.set(name, id)
    if (this.#keepsCopies) this.#keepCopy(parts.map((part) => this.#values[part]))
    return id
  }

  #internObject(value: object, depth: number): number {
    if (hasClass(value)) throw NOT_PLAIN
    const record = value as Record<string, unknown>
    const keys: string[] = []
    const parts: number[] = []
    let name = '{'
    for (const key of Object.keys(record).sort()) {
      const item = record[key]
      if (item === undefined) continue
      const place = this.#intern(key, depth + 1)
      const part = place === NO_ROOM ? NO_ROOM : this.#intern(item, depth + 1)
      keys.push(key)
      parts.push(part)
      name += `${place}:${part},`
    }
    const known = this.#composites.get(name)
    if (known !== undefined) return known
    const id = this.#number(parts, name)
    if (id === NO_ROOM) return id
    this.#composites.set(name, id)
    if (!this.#keepsCopies) return id
    const copy: Record<string, unknown> = {}
    for (let at = 0; at < keys.length; at++) setOwn(copy, keys[at]!, this.#values[parts[at]!])
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

  /**
   * A number for a new value, if there is room for it and was for its parts. @param key what it is
   * looked up by
   */
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

/** What V8 takes, roughly: of an entry of a table, a copy that is kept, and each part of that. */
const [ENTRY_BYTES, COPY_BYTES, PART_BYTES] = [100, 100, 16]
