/**
 * The base of symbolic sets, whose elements are not listed.
 *
 * Invariant: `elements` yields no value twice. As in TLC, a set of more than a million elements is
 * never listed.
 */
import type { Arena } from './arena.ts'
import { isUntyped, notSet } from './canonical.ts'
import { named, refusal } from './refuse.ts'
import type { Canonical, SetValue, SymbolicSet, Value } from './value.ts'

/** TLC's bound is a million, but it allows the subsets of 20 elements. */
export const LARGEST_SET = 2 ** 20

export abstract class Symbolic implements SymbolicSet {
  readonly kind = 'symbolic set'
  readonly arena: Arena
  /** Computed lazily. */
  #listed: SetValue | undefined = undefined

  constructor(arena: Arena) {
    this.arena = arena
  }

  abstract describe(): string
  abstract has(value: Value): boolean
  abstract elements(): Iterable<Canonical>
  abstract size(): number | undefined
  /** Whether two sets of one class are equal; undefined if that needs their elements. */
  abstract isSame(other: this): boolean | undefined

  /** For an infinite set, a finite one in TLA+ that error messages suggest. */
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

/** Length of a list of elements at which duplicates are dropped. */
export const LONGEST_LIST = 2 * LARGEST_SET

/**
 * Drops duplicates in a list of elements.
 * @throws TlaError if more than a million are left
 */
export function thin(elements: Value[]): void {
  const distinct = new Set(elements)
  if (distinct.size > LARGEST_SET) throw refusal(`attempted to list a set of more than ${LARGEST_SET} elements`)
  elements.length = 0
  for (const element of distinct) elements.push(element)
}

/** Membership of a value of a kind that the set cannot contain: false for untyped model values. */
export function foreign(value: Value, set: SymbolicSet): false {
  if (isUntyped(value)) return false
  throw refuseMember(value, set)
}

export function refuseMember(value: Value, set: SymbolicSet): Error {
  return refusal(`attempted to check whether ${named(value)} is an element of ${set.describe()}`)
}

/** Clamps a finite size that may have overflowed to `Infinity`. */
export function finiteSize(size: number): number {
  return Math.min(size, Number.MAX_VALUE)
}

/** Number of elements; `Infinity` if the set is infinite. */
export function sizeOf(set: Value): number {
  if (typeof set === 'object') {
    if (set.kind === 'set') return set.elements.length
    if (set.kind === 'symbolic set') return set.size() ?? set.toSet().elements.length
  }
  throw notSet(set)
}

/**
 * Iterates over a set without listing it first.
 * @throws TlaError if the set is infinite
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
