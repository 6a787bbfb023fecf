/**
 * `\in` of TLA+, as in TLC.
 *
 * Invariant: false only if the value is comparable with the elements (`1 \in {"a"}` is an error);
 * an element is found whatever the other elements are.
 */
import { canonical } from './canonical.ts'
import { comparesWithin } from './comparable.ts'
import { compare } from './order.ts'
import { named, refusal } from './refuse.ts'
import type { Canonical, SetValue, Value } from './value.ts'

/** Linear search up to this size, binary search above. */
const MANY = 128

/** @throws TlaError if `set` is not a set, or its elements are not comparable with the value */
export function member(value: Value, set: Value): boolean {
  if (typeof set === 'object') {
    if (set.kind === 'set') return placeIn(set, canonical(value)) >= 0
    if (set.kind === 'symbolic set') return set.has(value)
  }
  throw refusal(`attempted to check whether ${named(value)} is an element of ${named(set)}, which is not a set`)
}

/**
 * The index of a value among the elements of a set; -1 if it is not an element.
 * @throws TlaError as `member`
 */
export function placeIn(set: SetValue, value: Canonical): number {
  const { elements } = set
  const { length } = elements
  if (length === 0) return -1
  const last = elements[length - 1]!
  if (typeof value === 'number' && typeof last === 'number') {
    // Only untyped model values may be mixed with integers, and they come first.
    const first = elements[0]!
    if (value > last) return -1
    if (typeof first === 'number') {
      if (value < first) return -1
      if (last - first === length - 1) return value - first
      return placeOfInteger(elements as readonly number[], value)
    }
  }
  if (length <= MANY) {
    for (let at = 0; at < length; at++) if (elements[at] === value) return at
    if (comparesWithin(value, set)) return -1
  }
  let [low, high] = [0, length]
  while (low < high) {
    const middle = (low + high) >> 1
    const order = compare(value, elements[middle]!)
    if (order === 0) return middle
    if (order < 0) high = middle
    else low = middle + 1
  }
  return -1
}

/** Binary search among integers. */
function placeOfInteger(elements: readonly number[], value: number): number {
  let [low, high] = [0, elements.length]
  while (low < high) {
    const middle = (low + high) >> 1
    const element = elements[middle]!
    if (element === value) return middle
    if (value < element) high = middle
    else low = middle + 1
  }
  return -1
}

/** `placeIn` for the domain of a function: many functions share it, so a table pays. */
export function placeInDomain(domain: SetValue, key: Canonical): number {
  if (domain.elements.length <= FEW || typeof key === 'number') return placeIn(domain, key)
  let table = tables.get(domain)
  if (table === undefined) {
    table = new Map(domain.elements.map((element, at) => [element, at]))
    tables.set(domain, table)
  }
  return table.get(key) ?? placeIn(domain, key)
}

const FEW = 32
const tables = new WeakMap<SetValue, Map<Canonical, number>>()
