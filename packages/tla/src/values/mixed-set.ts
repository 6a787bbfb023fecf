/**
 * A set that was given element by element, `{1, "a"}`, whose elements TLC does not compare with each other.
 *
 * As in TLC, it holds what it is asked for if that equals one of its elements before any that it cannot be compared with: `1` is an
 * element, and whether `"a"` is one is refused. All else that is asked of it, refused: nobody can put its elements in order.
 */
import { isPassing } from '../error.ts'
import type { Span } from '../syntax/span.ts'
import type { Arena } from './arena.ts'
import { equal } from './equality.ts'
import { printPart } from './print.ts'
import { refusal } from './refuse.ts'
import { Symbolic } from './symbolic-set.ts'
import type { Value } from './value.ts'

/** So many elements are told in a message. */
const MOST_TOLD = 8

export class Mixed extends Symbolic {
  /** As they were given. */
  readonly values: readonly Value[]
  /** Which of them do not compare. */
  readonly #reason: string

  readonly #at: Span | undefined

  /** @param at where it is written, if errors are to tell */
  constructor(arena: Arena, values: readonly Value[], reason: string, at?: Span) {
    super(arena)
    this.values = values
    this.#reason = reason
    this.#at = at
  }

  describe(): string {
    const told = this.values.slice(0, MOST_TOLD).map(printPart)
    return `{${told.join(', ')}${this.values.length > MOST_TOLD ? ', …' : ''}}`
  }

  has(value: Value): boolean {
    try {
      for (const element of this.values) if (equal(element, value)) return true
      return false
    } catch (error) {
      if (isPassing(error)) error.at ??= this.#at
      throw error
    }
  }

  elements(): never {
    const error = refusal(`${this.#reason}: ${this.describe()} cannot be listed`)
    error.at = this.#at
    throw error
  }

  size(): undefined {
    return undefined
  }

  isSame(): undefined {
    return undefined
  }
}
