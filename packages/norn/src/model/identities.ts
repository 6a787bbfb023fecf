/**
 * The identities of abstract states, for coverage: one exact number for each state.
 *
 * Identities belong to the process, not to a model: modules, and models with them, are loaded afresh
 * for each execution, but a state must keep its number. Numbers differ between processes.
 *
 * Once a million states have a number, or the table takes 384 MiB, all later states share the number
 * 0: they are followed and checked, but guidance cannot distinguish them. Such a model needs a
 * coarser `project`. (Measured: 320 bytes for a state of four variables, two of them lists.)
 */
import { mix } from '../tape/chance.ts'
import { Interner, NO_ROOM } from './interning.ts'

const MAX_STATES = 1_000_000
const MAX_BYTES = 384 * 2 ** 20

/** The identity of all states for which there was no room. */
export const CROWDED_OUT = 0

export class Identities {
  readonly #maxStates: number
  readonly #values: Interner
  readonly #ids = new Map<number, number>()
  readonly #numbered = new Map<number, number>()
  /** By identity; index 0 is unused. */
  readonly #hashes: number[] = [0]

  constructor(maxStates = MAX_STATES, maxBytes = MAX_BYTES) {
    this.#maxStates = maxStates
    this.#values = new Interner({ maxBytes, withoutCopies: true })
  }

  /**
   * The identity of a state, counted from 1; `CROWDED_OUT` if there is no room.
   *
   * @param what names the state in errors
   * @param hash 32 bits, the same in every process; default: a hash of the JSON text
   */
  of(state: unknown, what: string, hash?: number): number {
    const value = this.#values.intern(state, what)
    if (value === NO_ROOM) return CROWDED_OUT
    return (
      this.#ids.get(value) ?? this.#added(this.#ids, value, hash ?? hashText(JSON.stringify(state, sortedKeys) ?? ''))
    )
  }

  /** The identity of a state that somebody else numbers, from 0; these states equal none of `of`. */
  ofNumbered(number: number, hash: number): number {
    return this.#numbered.get(number) ?? this.#added(this.#numbered, number, hash)
  }

  #added(ids: Map<number, number>, key: number, hash: number): number {
    if (this.#hashes.length > this.#maxStates) return CROWDED_OUT
    const id = this.#hashes.push(hash) - 1
    ids.set(key, id)
    return id
  }

  /**
   * A hash of 32 bits of the state with an identity, the same in every process, so that counts of
   * several processes can be added; 0 for `CROWDED_OUT` and unknown identities.
   */
  hash(id: number): number {
    return this.#hashes[id] ?? 0
  }
}

function sortedKeys(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** FNV-1a with a final mix. */
function hashText(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return mix(hash)
}

export const processIdentities = new Identities()
