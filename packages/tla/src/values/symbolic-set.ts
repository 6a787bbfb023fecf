/**
 * The base of all sets whose elements are not listed.
 *
 * Invariant: `elements` yields no value twice. Bounded as in TLC: a set of more than a million
 * elements is not listed.
 */
import type { Arena } from './arena.ts'
import { notSet } from './canonical.ts'
import { named, refusal } from './refuse.ts'
import type { Canonical, ModelValue, SetValue, SymbolicSet, Value } from './value.ts'

/** TLC's bound is a million, which it does not hold to for the subsets of 20 elements. */
export const LARGEST_SET = 2 ** 20

export abstract class Symbolic implements SymbolicSet {
  readonly kind = 'symbolic set'
  readonly arena: Arena
  /** Computed on demand. */
  #listed: SetValue | undefined = undefined

  constructor(arena: Arena) {
    this.arena = arena
  }

  abstract describe(): string
  abstract has(value: Value): boolean
  abstract elements(): Iterable<Canonical>
  abstract size(): number | undefined
  /** Whether two of one class are equal; undefined if only their elements tell. */
  abstract isSame(other: this): boolean | undefined

  /** Of an infinite set: a finite one that will mostly do, in TLA+. */
  finite(): string | undefined {
    return undefined
  }

  get listed(): SetValue | undefined {
    return this.#listed
  }

  toSet(): SetValue {
    if (this.#listed !== undefined) return this.#listed
    const size = this.size()
    if (size === Number.POSITIVE_INFINITY) throw infinite(this)
    if (size !== undefined && size > LARGEST_SET) throw tooLarge(this)
    const elements: Canonical[] = []
    for (const element of this.elements()) {
      if (elements.length === LARGEST_SET) throw tooLarge(this)
      elements.push(element)
    }
    this.#listed = this.arena.set(elements)
    return this.#listed
  }
}

export function isSameSymbolic(left: SymbolicSet, right: SymbolicSet): boolean | undefined {
  if (!(left instanceof Symbolic) || left.constructor !== right.constructor) return undefined
  return left.isSame(right as typeof left)
}

export function infinite(set: SymbolicSet): Error {
  const finite = set instanceof Symbolic ? set.finite() : undefined
  const instead = finite === undefined ? '' : `: use a finite set, such as \`${finite}\``
  return refusal(`attempted to enumerate the infinite set ${set.describe()}${instead}`)
}

export function tooLarge(set: SymbolicSet): Error {
  return refusal(`attempted to list the set ${set.describe()}, which has more than ${LARGEST_SET} elements`)
}

/** How long a list of elements may be, before those that stand in it twice are dropped. */
export const LONGEST_LIST = 2 * LARGEST_SET

/**
 * Drops duplicates in a list of the elements of a set.
 * @throws TlaError if more than a million are distinct
 */
export function thin(elements: Value[]): void {
  const distinct = new Set(elements)
  if (distinct.size > LARGEST_SET) throw refusal(`attempted to list a set of more than ${LARGEST_SET} elements`)
  elements.length = 0
  for (const element of distinct) elements.push(element)
}

/**
 * The answer of a set to a value that is of no kind that it can hold. False for untyped model
 * values.
 */
export function foreign(value: Value, set: SymbolicSet): false {
  if (typeof value === 'object' && value.kind === 'model value' && (value as ModelValue).type === '') return false
  throw refuseMember(value, set)
}

export function refuseMember(value: Value, set: SymbolicSet): Error {
  return refusal(`attempted to check whether ${named(value)} is an element of ${set.describe()}`)
}

/** Of a size that may be too large to count exactly, but is finite: never `Infinity`. */
export function finiteSize(size: number): number {
  return Math.min(size, Number.MAX_VALUE)
}

/** How many elements a set has; `Infinity` if it is infinite. */
export function sizeOf(set: Value): number {
  if (typeof set === 'object') {
    if (set.kind === 'set') return set.elements.length
    if (set.kind === 'symbolic set') return set.size() ?? set.toSet().elements.length
  }
  throw notSet(set)
}

/**
 * The elements one after another, without listing them first.
 * @throws TlaError if there are infinitely many
 */
export function elementsInTurn(set: Value): Iterable<Canonical> {
  if (typeof set === 'object') {
    if (set.kind === 'set') return set.elements
    if (set.kind === 'symbolic set') {
      if (set.size() === Number.POSITIVE_INFINITY) throw infinite(set)
      return set.elements()
    }
  }
  throw notSet(set)
}

export function isInfinite(set: Value): boolean {
  return typeof set === 'object' && set.kind === 'symbolic set' && set.size() === Number.POSITIVE_INFINITY
}
