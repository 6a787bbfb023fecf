/**
 * The order of values that decides how sets are listed, what CHOOSE takes first and what TLC's
 * comparisons allow.
 *
 * A function of the values alone, so that the same set is listed the same in every process. As
 * TLC's: integers by size, FALSE before TRUE, sets by cardinality and then by elements, tuples by
 * length and then by elements, functions by the size of their domain, their domain, then their
 * elements; untyped model values before all else. Departs for strings and model values, which TLC
 * orders as they were first read: here by their text (UTF-16 code units), numbers at the end by
 * size, so that `r2` comes before `r10` as it does in configurations. Departs for a record beside a
 * function of another size, which TLC orders or refuses depending on which of them stands left:
 * here they have an order.
 */
import { compareRanked } from './ranking.ts'
import { named, refusal } from './refuse.ts'
import type { Canonical, FunctionValue, Interned, ModelValue, RecordValue, Tuple } from './value.ts'

/**
 * Negative if `left` comes first, 0 exactly if they are equal.
 *
 * @throws TlaError if TLC does not compare values of these kinds: a number with a string
 */
export function compare(left: Canonical, right: Canonical): number {
  if (left === right) return 0
  if (typeof left === 'number' && typeof right === 'number') return left - right
  if (typeof left === 'object' && typeof right === 'object') return compareInterned(left, right)
  if (typeof left === 'boolean' && typeof right === 'boolean') return left ? 1 : -1
  return compareMixed(left, right)
}

function compareInterned(left: Interned, right: Interned): number {
  if (left.kind !== right.kind) {
    return isFunction(left) && isFunction(right) ? compareFunctions(left, right) : compareMixed(left, right)
  }
  switch (left.kind) {
    case 'string':
      return compareRanked(left, right)
    case 'set':
    case 'tuple':
      return compareElements(left.elements, (right as typeof left).elements)
    case 'record':
    case 'function':
      return compareFunctions(left, right as typeof left)
    case 'model value':
      return compareModelValues(left, right as typeof left)
  }
}

function compareElements(left: readonly Canonical[], right: readonly Canonical[]): number {
  const { length } = left
  if (length !== right.length) return length - right.length
  for (let at = 0; at < length; at++) {
    const [one, other] = [left[at]!, right[at]!]
    if (one !== other) return compare(one, other)
  }
  return 0
}

type AnyFunction = Tuple | RecordValue | FunctionValue

function isFunction(value: Interned): value is AnyFunction {
  return value.kind === 'tuple' || value.kind === 'record' || value.kind === 'function'
}

function compareFunctions(left: AnyFunction, right: AnyFunction): number {
  const { length } = left.elements
  if (length !== right.elements.length) return length - right.elements.length
  // Interned: that the domains are not one object means that some key differs.
  if (keysOf(left) !== keysOf(right)) {
    for (let at = 0; at < length; at++) {
      const [one, other] = [keyAt(left, at), keyAt(right, at)]
      // A model value is no index, though it would compare with one.
      const isRefused = isNoIndex(left, other) || isNoIndex(right, one)
      if (isRefused) throw refusal(`attempted to compare ${named(left)} with ${named(right)}`)
      const order = compare(one, other)
      if (order !== 0) return order
    }
  }
  return compareElements(left.elements, right.elements)
}

/** Whether a key of another function cannot be one of a tuple. */
function isNoIndex(tuple: AnyFunction, key: Canonical): boolean {
  return tuple.kind === 'tuple' && typeof key !== 'number'
}

function keysOf(value: AnyFunction): readonly Canonical[] | undefined {
  if (value.kind === 'tuple') return undefined
  return value.kind === 'record' ? value.shape.domain.elements : value.domain.elements
}

function keyAt(value: AnyFunction, at: number): Canonical {
  return keysOf(value)?.[at] ?? at + 1
}

function compareModelValues(left: ModelValue, right: ModelValue): number {
  if (left.type !== '' && right.type !== '' && left.type !== right.type) {
    throw refusal(`attempted to compare ${named(left)} with ${named(right)}: their types differ`)
  }
  return compareRanked(left, right)
}

/** Of different kinds: only untyped model values compare with everything. */
function compareMixed(left: Canonical, right: Canonical): number {
  if (typeof left === 'object' && left.kind === 'model value' && left.type === '') return -1
  if (typeof right === 'object' && right.kind === 'model value' && right.type === '') return 1
  throw refusal(`attempted to compare ${named(left)} with ${named(right)}`)
}
