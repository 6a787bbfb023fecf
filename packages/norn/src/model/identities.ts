/**
 * The identities of abstract states, as coverage counts them: one number for each state, exact, for
 * the whole process.
 *
 * For the process and not for a model: the modules of a property are loaded afresh for every
 * execution, its model with them, and a state has to keep its number from one execution to the
 * next. The number is not the same in another process.
 *
 * What has a number keeps it. When a million states have one, or the table takes 384 MiB, all that
 * come later share the number 0: they are followed and checked as ever, but guidance no longer
 * tells them apart. A model that gets there wants a `project` that leaves more out. (Measured: 320
 * bytes for a state of four variables, two of them lists.)
 */
import { mix } from '../tape/chance.ts'
import { Interner, NO_ROOM } from './interning.ts'

const MAX_STATES = 1_000_000
const MAX_BYTES = 384 * 2 ** 20

/** The identity that states share for which there is no room left. */
export const CROWDED_OUT = 0

export class Identities {
  readonly #maxStates: number
  readonly #values: Interner
  readonly #ids = new Map<number, number>()
  /** By identity; nobody has the first. */
  readonly #hashes: number[] = [0]

  constructor(maxStates = MAX_STATES, maxBytes = MAX_BYTES) {
    this.#maxStates = maxStates
    this.#values = new Interner({ maxBytes, withoutCopies: true })
  }

  /**
   * The identity of a state, from 1 in the order in which they are first seen; `CROWDED_OUT` if
   * there is no room left.
   *
   * @param hash its hash, where somebody knows one of 32 bits that is the same in every process;
   *   made of the state unless given
   */
  of(state: unknown, what: string, hash?: number): number {
    const value = this.#values.intern(state, what)
    if (value === NO_ROOM) return CROWDED_OUT
    const known = this.#ids.get(value)
    if (known !== undefined) return known
    if (this.#ids.size >= this.#maxStates) return CROWDED_OUT
    const id = this.#ids.size + 1
    this.#ids.set(value, id)
    this.#hashes[id] = hash ?? hashText(JSON.stringify(state, sortedKeys) ?? '')
    return id
  }

  /**
   * A hash of 32 bits of the state that has an identity: the same in every process, so that what
   * several of them counted can be added up. For `CROWDED_OUT`, and for what is no identity, it is
   * 0.
   */
  hash(id: number): number {
    return this.#hashes[id] ?? 0
  }
}

/** The order of keys does not count. */
function sortedKeys(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** FNV-1a, stirred. */
function hashText(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return mix(hash)
}

/** Those of this process. */
export const processIdentities = new Identities()
