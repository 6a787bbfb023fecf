/** Numbers for keys and values, so that tables of them need no objects. */
import { canonical } from '../models/canonical.ts'

/** Equal values have equal codes: 32-bit integers that are not negative their own, all others negative ones. */
export class Codes {
  readonly #others = new Map<unknown, number>()

  of(value: unknown): number {
    if (typeof value === 'number' && (value | 0) === value && value >= 0) return value
    // Structures are equal by content, and never equal to strings.
    const name = typeof value === 'object' && value !== null ? `\0${canonical(value)}` : value
    let code = this.#others.get(name)
    if (code === undefined) this.#others.set(name, (code = -1 - this.#others.size))
    return code
  }
}

/** Dense numbers from 0 for keys, in the order of their first use. */
export class KeyTable {
  readonly keys: unknown[] = []
  readonly #codes = new Codes()
  readonly #ids = new Map<number, number>()
  /** The numbers of keys that are small integers, plus 1. */
  #small = new Int32Array(1024)

  of(key: unknown): number {
    const code = this.#codes.of(key)
    if (code < 0 || code >= MAX_SMALL) {
      let id = this.#ids.get(code)
      if (id === undefined) this.#ids.set(code, (id = this.keys.push(key) - 1))
      return id
    }
    if (code >= this.#small.length) {
      const grown = new Int32Array(Math.max(code + 1, this.#small.length * 2))
      grown.set(this.#small)
      this.#small = grown
    }
    const known = this.#small[code]!
    if (known > 0) return known - 1
    this.#small[code] = this.keys.push(key)
    return this.keys.length - 1
  }
}
/** 16 MB of table at most. */
const MAX_SMALL = 1 << 22
