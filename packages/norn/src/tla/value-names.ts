/**
 * Numbers for values, across all arenas of this process: values have the same number exactly if
 * they are equal.
 *
 * By hash-consing, as in an arena: a value is named by its kind and the numbers of its parts, and a
 * value that was named before in the same arena is found by identity. So a state that differs from
 * a known one in a part costs the naming of that part; printing would cost the text of the whole
 * state.
 */
import type { Canonical, Interned } from 'norn-tla/engine'

/** The number of values for which there is no room. */
export const UNNAMED = -1

const MAX_BYTES = 256 * 2 ** 20
/** Bytes of an entry in V8, roughly, beside its text. */
const ENTRY_BYTES = 80

export class ValueNames {
  readonly #numbers = new Map<string, number>()
  readonly #maxBytes: number
  #bytes = 0

  constructor(maxBytes = MAX_BYTES) {
    this.#maxBytes = maxBytes
  }

  /** The number of a name, from 0; `UNNAMED` if it is new and there is no room. */
  of(name: string): number {
    const known = this.#numbers.get(name)
    if (known !== undefined) return known
    if (this.#bytes > this.#maxBytes) return UNNAMED
    this.#bytes += ENTRY_BYTES + name.length
    const number = this.#numbers.size
    this.#numbers.set(name, number)
    return number
  }
}

const processNames = new ValueNames()

/** The numbers of the values of one arena. */
export class ArenaNames {
  readonly #names: ValueNames
  readonly #known = new Map<Interned, number>()

  constructor(names: ValueNames = processNames) {
    this.#names = names
  }

  /** The number of a value; `UNNAMED` if there was no room for it or a part of it. */
  of(value: Interned): number {
    const known = this.#known.get(value)
    if (known !== undefined) return known
    const name = this.#name(value)
    const number = name === undefined ? UNNAMED : this.#names.of(name)
    this.#known.set(value, number)
    return number
  }

  #name(value: Interned): string | undefined {
    switch (value.kind) {
      case 'string':
        return `"${value.text}`
      case 'model value':
        return `'${value.text}`
      case 'set':
        return this.#parts('{', value.elements)
      case 'tuple':
        return this.#parts('<', value.elements)
      case 'record':
        return this.#parts(`[${this.of(value.shape.domain)}:`, value.elements)
      case 'function':
        return this.#parts(`(${this.of(value.domain)}:`, value.elements)
    }
  }

  #parts(begin: string, elements: readonly Canonical[]): string | undefined {
    let name = begin
    for (let at = 0; at < elements.length; at++) {
      const element = elements[at]!
      if (typeof element === 'object') {
        const number = this.of(element)
        if (number === UNNAMED) return undefined
        name += `${number},`
      } else name += typeof element === 'number' ? `#${element},` : element ? 'T,' : 'F,'
    }
    return name
  }
}
