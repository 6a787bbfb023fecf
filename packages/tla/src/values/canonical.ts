/** Canonical values: those that a state can hold. Symbolic values are enumerated on conversion. */
import { named, refusal } from './refuse.ts'
import type { Canonical, RuleFunction, SetValue, SymbolicSet, Value } from './value.ts'

export function isCanonical(value: Value): value is Canonical {
  return typeof value !== 'object' || (value.kind !== 'symbolic set' && value.kind !== 'rule function')
}

/** @throws TlaError for values that cannot be enumerated: `Nat`, or a function over it */
export function canonical(value: Value): Canonical {
  return isCanonical(value) ? value : listed(value)
}

function listed(value: SymbolicSet | RuleFunction): Canonical {
  return value.kind === 'symbolic set' ? value.toSet() : value.toFunction()
}

/** @throws TlaError if the value is not a set, or infinite */
export function asSet(value: Value): SetValue {
  if (typeof value === 'object') {
    if (value.kind === 'set') return value
    if (value.kind === 'symbolic set') return value.toSet()
  }
  throw notSet(value)
}

export function isSet(value: Value): value is SetValue | SymbolicSet {
  return typeof value === 'object' && (value.kind === 'set' || value.kind === 'symbolic set')
}

export function isListed(value: Value): value is SetValue {
  return typeof value === 'object' && value.kind === 'set'
}

/** Whether it is an untyped model value, which is unequal to all other values. */
export function isUntyped(value: Value): boolean {
  return typeof value === 'object' && value.kind === 'model value' && value.type === ''
}

export function notSet(value: Value): Error {
  return refusal(`expected a set, found ${named(value)}`)
}
