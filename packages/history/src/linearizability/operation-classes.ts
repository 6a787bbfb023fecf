/** Numbers for operations: those that take and return the same have the same number. */
import { canonical, isPlain } from '../models/canonical.ts'

/** Told from all values and names. */
const STRUCTURE = Symbol('structure')
const OUTPUT = Symbol('output')

/** Half of what a map can have. */
const MAX_ENTRIES = 2 ** 23
/** More than that: a node and the number of a value make one number, which is exact. */
const RADIX = 2 ** 25
/** Roughly what an entry of a map costs. */
const BYTES_OF_AN_ENTRY = 40

/**
 * Takes an operation as the sequence of the names and values of its input and of its output, and numbers
 * sequences as the nodes of a trie: several times as fast as making a text of it and looking that up.
 * Inputs whose names come in another order have another number.
 */
export class OperationClasses {
  readonly #values = new Map<unknown, number>()
  /** RADIX * node + value -> node. The root is 0. */
  readonly #nodes = new Map<number, number>()
  readonly #count: (bytes: number) => void
  #last = 0

  /** @param count is told of memory that is taken */
  constructor(count: (bytes: number) => void) {
    this.#count = count
  }

  /** @param isKnown whether the output is part of it */
  of(input: unknown, output: unknown, isKnown: boolean): number {
    // Numbers are not used again: an operation that comes once more has another one then.
    if (this.#nodes.size > MAX_ENTRIES) {
      this.#nodes.clear()
      this.#values.clear()
    }
    let node = 0
    if (typeof input === 'object' && input !== null && isPlain(input)) {
      for (const name of Object.keys(input)) {
        const value = (input as Record<string, unknown>)[name]
        if (value !== undefined) node = this.#afterValue(this.#after(node, name), value)
      }
    } else node = this.#afterValue(node, input)
    return isKnown ? this.#afterValue(this.#after(node, OUTPUT), output) : node
  }

  #afterValue(node: number, value: unknown): number {
    if (typeof value !== 'object' || value === null) return this.#after(node, value)
    return this.#after(this.#after(node, STRUCTURE), canonical(value))
  }

  #after(node: number, value: unknown): number {
    let id = this.#values.get(value)
    if (id === undefined) {
      id = this.#values.size
      this.#values.set(value, id)
      this.#count(BYTES_OF_AN_ENTRY + (typeof value === 'string' ? 2 * value.length : 0))
    }
    const edge = RADIX * node + id
    let next = this.#nodes.get(edge)
    if (next === undefined) {
      next = ++this.#last
      this.#nodes.set(edge, next)
      this.#count(BYTES_OF_AN_ENTRY)
    }
    return next
  }
}
