/**
 * Set operators: union, intersection, difference, filters, UNION, cardinality.
 *
 * Interned sets are merged as sorted arrays; results of symbolic sets stay symbolic until their
 * elements are needed (`Nat \ {0}`), as in TLC. As in TLC, the right side is not evaluated if the
 * left one is empty.
 */
import type { Arena } from './arena.ts'
import { asSet, canonical, isListed, isSet, notSet } from './canonical.ts'
import { Difference, Filtered, Intersection, Union, UnionOf } from './combined-sets.ts'
import { Interval, Listed, Mixed, partsOf } from './enumerated-sets.ts'
import { member, placeIn } from './member.ts'
import { compare } from './order.ts'
import { named, refusal } from './refuse.ts'
import { LONGEST_LIST, thin } from './symbolic-set.ts'
import type { Canonical, SetValue, Value } from './value.ts'

/** Linear search up to this size. */
const FEW = 64
/** TLC's largest cardinality. */
const LARGEST_COUNT = 2 ** 31 - 1

/** `a \cup b`. */
export function union(arena: Arena, a: Value, b: Value): Value {
  if (isListed(a) && isListed(b)) return merged(arena, a, b)
  if (isListed(a) && a.elements.length === 0) return b
  if (isListed(b) && b.elements.length === 0) return a
  requireSets('\\cup', a, b)
  if (a instanceof Mixed || b instanceof Mixed) return merged(arena, asSet(a), asSet(b))
  if (holdsInfinite(a, b)) return setOf(arena, [...partsOf(a), ...partsOf(b)])
  return new Union(arena, a, b).flat()
}

/** `set \cup {element}`. */
export function added(arena: Arena, set: SetValue, element: Canonical): SetValue {
  const { elements } = set
  const { length } = elements
  if (length <= FEW) {
    // The result is nearly always known, so that the element's index is not needed.
    for (let at = 0; at < length; at++) if (elements[at] === element) return set
    const known = arena.knownSetWith(set, element)
    if (known !== undefined) return known
  }
  let [low, high] = [0, length]
  while (low < high) {
    const middle = (low + high) >> 1
    const order = compare(element, elements[middle]!)
    if (order === 0) return set
    if (order < 0) high = middle
    else low = middle + 1
  }
  return (length > FEW ? arena.knownSetWith(set, element) : undefined) ?? arena.setWith(set, low, element)
}

function merged(arena: Arena, a: SetValue, b: SetValue): SetValue {
  if (a === b) return a
  const [left, right] = [a.elements, b.elements]
  if (right.length === 0) return a
  if (left.length === 0) return b
  if (right.length === 1) return added(arena, a, right[0]!)
  if (left.length === 1) return added(arena, b, left[0]!)
  if (right.length > left.length) return merged(arena, b, a)
  if (right.length <= FEW && left.length <= FEW) {
    let missing: Canonical | undefined
    let count = 0
    for (let at = 0; at < right.length && count < 2; at++) {
      if (left.includes(right[at]!)) continue
      missing = right[at]!
      count++
    }
    if (count === 0) return a
    if (count === 1) return added(arena, a, missing!)
  }
  const result: Canonical[] = []
  let [at, from] = [0, 0]
  while (at < left.length && from < right.length) {
    const [one, other] = [left[at]!, right[from]!]
    if (one === other) {
      result.push(one)
      at++
      from++
    } else if (compare(one, other) < 0) {
      result.push(one)
      at++
    } else {
      result.push(other)
      from++
    }
  }
  while (at < left.length) result.push(left[at++]!)
  while (from < right.length) result.push(right[from++]!)
  return arena.sortedSet(result)
}

/** `a \cap b`. */
export function intersection(arena: Arena, a: Value, b: Value): Value {
  if (isListed(a)) return kept(arena, a, b, true)
  if (isListed(b)) return kept(arena, b, a, true)
  requireSets('\\cap', a, b)
  if (a instanceof Listed) return setOf(arena, keptOf(a, b, true))
  return new Intersection(arena, a, b).flat()
}

/** `a \ b`. */
export function difference(arena: Arena, a: Value, b: Value): Value {
  if (isListed(a)) {
    if (isListed(b) && b.elements.length === 1) return removed(arena, a, b.elements[0]!)
    return kept(arena, a, b, false)
  }
  requireSets('\\', a, b)
  if (a instanceof Mixed) return kept(arena, asSet(a), b, false)
  if (a instanceof Listed) return setOf(arena, keptOf(a, b, false))
  // Recursion that removes element after element would nest differences.
  if (a instanceof Interval && a.size() <= MOST_SUBTRACTED) return difference(arena, a.toSet(), b)
  return new Difference(arena, a, b).flat()
}

/** Intervals up to this size are listed for a difference. */
const MOST_SUBTRACTED = 1 << 16

/** `set \ {element}`. */
function removed(arena: Arena, set: SetValue, element: Canonical): SetValue {
  const place = placeIn(set, element)
  return place < 0 ? set : arena.setWithout(set, place)
}

function kept(arena: Arena, set: SetValue, other: Value, wanted: boolean): SetValue {
  const { elements } = set
  let result: Canonical[] | undefined
  for (let at = 0; at < elements.length; at++) {
    const element = elements[at]!
    if (member(element, other) === wanted) result?.push(element)
    else result ??= elements.slice(0, at)
  }
  return result === undefined ? set : arena.sortedSet(result)
}

/** Whether both sets are enumerated, and some elements are infinite sets. */
function holdsInfinite(a: Value, b: Value): boolean {
  if (!(a instanceof Listed) && !(b instanceof Listed)) return false
  return (a instanceof Listed || isListed(a)) && (b instanceof Listed || isListed(b))
}

function keptOf(set: Listed, other: Value, wanted: boolean): readonly Value[] {
  return set.values.filter((element) => member(element, other) === wanted)
}

/**
 * `{x \in set : predicate}`. For a symbolic set the predicate is evaluated only for the elements
 * that are needed, as in TLC: it may be undefined for others.
 */
export function filtered(arena: Arena, set: Value, predicate: (element: Value) => boolean): Value {
  if (!isSet(set)) throw notSet(set)
  if (set instanceof Mixed) return set.toSet()
  if (set instanceof Listed) return setOf(arena, set.values.filter(predicate))
  if (typeof set !== 'object' || set.kind !== 'set') return new Filtered(arena, set, predicate)
  const { elements } = set
  let result: Canonical[] | undefined
  for (let at = 0; at < elements.length; at++) {
    const element = elements[at]!
    if (predicate(element)) result?.push(element)
    else result ??= elements.slice(0, at)
  }
  return result === undefined ? set : arena.sortedSet(result)
}

/** `UNION set`. */
export function unionOf(arena: Arena, set: Value): Value {
  if (!isSet(set)) throw notSet(set)
  return set.kind === 'symbolic set' ? new UnionOf(arena, set) : unionOfAll(arena, set.elements)
}

/** The union of several sets. */
export function unionOfAll(arena: Arena, sets: readonly Value[]): Value {
  let largest = arena.emptySet
  let total = 0
  for (const set of sets) {
    if (!isSet(set)) throw notSet(set)
    if (set.kind === 'symbolic set') return sets.reduce((left, right) => union(arena, left, right))
    if (set === largest) continue
    total += set.elements.length
    if (set.elements.length > largest.elements.length) largest = set
  }
  if (total === largest.elements.length) return largest
  const elements: Canonical[] = []
  for (const { elements: more } of sets as readonly SetValue[]) {
    for (const element of more) if (elements.push(element) > LONGEST_LIST) thin(elements)
  }
  return arena.set(elements)
}

/** `{a, b, c}`; elements that are infinite sets stay symbolic. */
export function setOf(arena: Arena, values: readonly Value[]): Value {
  const elements: Canonical[] = []
  for (const value of values) {
    if (Listed.isNeeded(value)) return new Listed(arena, values)
    elements.push(canonical(value))
  }
  return arena.set(elements)
}

/** @throws TlaError for non-sets, infinite sets and more than 2^31 - 1 elements */
export function cardinality(set: Value): number {
  if (!isSet(set)) throw refusal(`attempted to count the elements of ${named(set)}, which is not a set`)
  if (set.kind === 'set') return set.elements.length
  const size = set.size() ?? set.toSet().elements.length
  if (size === Number.POSITIVE_INFINITY) {
    throw refusal(`attempted to count the elements of the infinite set ${set.describe()}`)
  }
  if (size > LARGEST_COUNT) {
    throw refusal(`the number of elements of ${set.describe()} does not fit into 32 bits`)
  }
  return size
}

export function isFiniteSet(set: Value): boolean {
  if (!isSet(set)) throw refusal(`attempted to check whether ${named(set)} is a finite set: it is not a set`)
  return set.kind === 'set' || set.size() !== Number.POSITIVE_INFINITY
}

function requireSets(operator: string, a: Value, b: Value): void {
  if (isSet(a) && isSet(b)) return
  throw refusal(`attempted to apply ${operator} to ${named(isSet(a) ? b : a)}, which is not a set`)
}
