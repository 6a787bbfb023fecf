/**
 * The order of values: it decides the order of set elements, the choice of CHOOSE, and which values
 * are comparable.
 *
 * A function of the values alone, so that sets are listed the same in every process. As in TLC:
 * integers by size, FALSE before TRUE, sets by cardinality and then by elements, tuples by length
 * and then by elements, functions by the size of their domain, their domain, then their elements;
 * untyped model values before all else.
 *
 * Departs from TLC for strings and model values, which TLC orders as they were first read: here by
 * text (UTF-16 code units), with a final number by size, so that `r2` comes before `r10`. Departs
 * for a record and a function of different sizes, which TLC orders or rejects depending on which is
 * on the left: here they are ordered.
 */
import { isUntyped } from './canonical.ts'
import { compareRanked } from './ranking.ts'
import { named, refusal } from './refuse.ts'
import type { Canonical, FunctionValue, Interned, ModelValue, RecordValue, Tuple } from './value.ts'

/**
 * Negative if `left` comes first, 0 exactly if they are equal.
 *
 * @throws TlaError for values that TLC does not compare, such as a number and a string
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
  // Domains are interned: different objects have different keys.
  if (keysOf(left) !== keysOf(right)) {
    for (let at = 0; at < length; at++) {
      const [one, other] = [keyAt(left, at), keyAt(right, at)]
      // A model value is not an index, though it is comparable with one.
      const isRefused = isNoIndex(left, other) || isNoIndex(right, one)
      if (isRefused) throw refusal(`attempted to compare ${named(left)} with ${named(right)}`)
      const order = compare(one, other)
      if (order !== 0) return order
    }
  }
  return compareElements(left.elements, right.elements)
}

/** Whether a key of another function cannot be an index of this tuple. */
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

/** Values of different kinds: only untyped model values are comparable with everything. */
function compareMixed(left: Canonical, right: Canonical): number {
  if (isUntyped(left)) return -1
  if (isUntyped(right)) return 1
  throw refusal(`attempted to compare ${named(left)} with ${named(right)}`)
}
