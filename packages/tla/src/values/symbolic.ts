/** The sets that an expression makes without listing them. What is small and cheap is listed at once. */
import type { Arena } from './arena.ts'
import { isSet, notSet } from './canonical.ts'
import { Filtered, Listed } from './combined.ts'
import { FunctionSet } from './function-set.ts'
import { Integers, Reals, Sequences, Strings } from './infinite-sets.ts'
import { Interval } from './interval.ts'
import { Mixed } from './mixed-set.ts'
import { Powerset } from './powerset.ts'
import { Product } from './product.ts'
import { RecordSet } from './record-set.ts'
import { setOf } from './sets.ts'
import type { Canonical, Shape, Value } from './value.ts'

/** `low..high` */
export function interval(arena: Arena, low: number, high: number): Value {
  return high - low < MOST_LISTED ? arena.interval(low, high) : new Interval(arena, low, high)
}

const MOST_LISTED = 256

/** `SUBSET set` */
export function powerset(arena: Arena, set: Value): Value {
  requireSet(set)
  return new Powerset(arena, set)
}

/** `[domain -> range]` */
export function functionSet(arena: Arena, domain: Value, range: Value): Value {
  requireSet(domain)
  requireSet(range)
  return new FunctionSet(arena, domain, range)
}

/** `[a: S, b: T]` @param sets in the order of the fields of the shape */
export function recordSet(arena: Arena, shape: Shape, sets: readonly Value[]): Value {
  sets.forEach(requireSet)
  return new RecordSet(arena, shape, sets)
}

/** `S \X T` */
export function product(arena: Arena, sets: readonly Value[]): Value {
  sets.forEach(requireSet)
  return new Product(arena, sets)
}

/** `Seq(set)` */
export function sequences(arena: Arena, set: Value): Value {
  requireSet(set)
  return new Sequences(arena, set)
}

/**
 * `{x \in set : predicate}`. Of a set that is not listed the predicate is asked of those elements only that matter, as in
 * TLC: it may be undefined for others.
 */
export function filtered(arena: Arena, set: Value, predicate: (element: Value) => boolean): Value {
  requireSet(set)
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

export function naturals(arena: Arena): Value {
  return new Integers(arena, 0)
}

export function integers(arena: Arena): Value {
  return new Integers(arena, Number.NEGATIVE_INFINITY)
}

export function reals(arena: Arena): Value {
  return new Reals(arena)
}

export function strings(arena: Arena): Value {
  return new Strings(arena)
}

function requireSet(value: Value): void {
  if (!isSet(value)) throw notSet(value)
}
