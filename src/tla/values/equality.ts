/**
 * `=` of TLA+, as TLC decides it.
 *
 * Equal values are one object, so that `===` answers nearly always. Only for values that differ the question remains
 * whether TLC would refuse to compare them: that is told by the first place where they differ, which is where TLC stops.
 */
import { canonical, isCanonical } from './canonical.ts'
import { compare } from './order.ts'
import { named, refusal } from './refuse.ts'
import { isSameSymbolic } from './symbolic-set.ts'
import type { Canonical, Value } from './value.ts'

/** @throws TlaError if TLC does not compare values of these kinds: `1 = "a"`, `{1} = {"a"}`, `Nat = {1}` */
export function equal(left: Value, right: Value): boolean {
  if (left === right) return true
  if (typeof left === 'number' && typeof right === 'number') return false
  if (isCanonical(left) && isCanonical(right)) return differ(left, right)
  if (typeof left === 'object' && typeof right === 'object') {
    if (left.kind === 'symbolic set' && right.kind === 'symbolic set') {
      const same = isSameSymbolic(left, right)
      if (same !== undefined) return same
    }
  }
  const [one, other] = [listedFor(left, right), listedFor(right, left)]
  return one === other || differ(one, other)
}

/** Always false for values that are not one: throws where TLC refuses. */
function differ(left: Canonical, right: Canonical): false {
  if (typeof left === 'object' && typeof right === 'object') {
    if (left.kind === 'string' && right.kind === 'string') return false
    // TLC asks the left side, and a record answers for records only.
    if (left.kind === 'record' && (right.kind === 'tuple' || right.kind === 'function') && right.elements.length > 0) {
      throw refusal(`attempted to compare ${named(left)} with ${named(right)}`)
    }
  }
  compare(left, right)
  return false
}

function listedFor(value: Value, other: Value): Canonical {
  if (isCanonical(value)) return value
  const isInfinite = value.kind === 'symbolic set' && value.size() === Number.POSITIVE_INFINITY
  if (isInfinite) throw refusal(`attempted to compare the infinite set ${value.describe()} with ${named(other)}`)
  return canonical(value)
}
