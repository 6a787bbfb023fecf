/**
 * `=` of TLA+, as in TLC.
 *
 * Equal values are one object, so `===` nearly always decides. For different values TLC may report
 * an error: the first difference decides, since TLC stops there.
 */
import { canonical, isCanonical, isUntyped } from './canonical.ts'
import { sortOf, UNKNOWN } from './comparable.ts'
import { apply, domainOf, Lazy } from './functions.ts'
import { compare } from './order.ts'
import { named, refusal } from './refuse.ts'
import { elementsInTurn, isSameSymbolic } from './symbolic-set.ts'
import type { Canonical, Value } from './value.ts'

/** Above this length, comparing sorts is faster than searching for the first difference. */
const MANY = 8

/** @throws TlaError for values that TLC does not compare: `1 = "a"`, `{1} = {"a"}`, `Nat = {1}` */
export function equal(left: Value, right: Value): boolean {
  if (left === right) return true
  if (typeof left === 'number' && typeof right === 'number') return false
  if (isCanonical(left) && isCanonical(right)) return differ(left, right)
  return unlistedEqual(left, right)
}

/** False, or an error as in TLC. */
function differ(left: Canonical, right: Canonical): false {
  if (typeof left === 'object' && typeof right === 'object') {
    if (left.kind === 'string' && right.kind === 'string') return false
    // TLC dispatches on the left side, and a record compares with records only.
    if (left.kind === 'record' && (right.kind === 'tuple' || right.kind === 'function') && right.elements.length > 0) {
      throw refusal(`attempted to compare ${named(left)} with ${named(right)}`)
    }
    if (left.kind === right.kind && left.kind !== 'model value' && left.kind !== 'string') {
      const { length } = left.elements
      if (length !== (right as typeof left).elements.length) return false
      if (length > MANY && sortOf(left) !== UNKNOWN && sortOf(left) === sortOf(right)) return false
    }
  }
  compare(left, right)
  return false
}

/** At least one side is symbolic. */
function unlistedEqual(left: Value, right: Value): boolean {
  if (isUntyped(left) || isUntyped(right)) return false
  if (isSymbolic(left) && isSymbolic(right)) {
    const same = isSameSymbolic(left, right)
    if (same !== undefined) return same
  }
  if (left instanceof Lazy || right instanceof Lazy) {
    const { arena } = left instanceof Lazy ? left : (right as Lazy)
    if (isFunction(left) && isFunction(right)) {
      const domain = domainOf(arena, left)
      if (!equal(domain, domainOf(arena, right))) return false
      for (const key of elementsInTurn(domain)) if (!equal(apply(left, key), apply(right, key))) return false
      return true
    }
  }
  const [one, other] = [listedFor(left, right), listedFor(right, left)]
  return one === other || differ(one, other)
}

function isSymbolic(value: Value): value is Extract<Value, { kind: 'symbolic set' }> {
  return typeof value === 'object' && value.kind === 'symbolic set'
}

function isFunction(value: Value): boolean {
  if (typeof value !== 'object') return false
  const { kind } = value
  return kind === 'tuple' || kind === 'record' || kind === 'function' || kind === 'rule function'
}

function listedFor(value: Value, other: Value): Canonical {
  if (isSymbolic(value) && value.size() === Number.POSITIVE_INFINITY) {
    throw refusal(`attempted to compare the infinite set ${value.describe()} with ${named(other)}`)
  }
  return canonical(value)
}
