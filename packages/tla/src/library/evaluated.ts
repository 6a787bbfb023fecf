/** Values whose elements are evaluated, as TLC evaluates operands: those that fail do so here. */
import { asSet, canonical, isCanonical } from '../values/canonical.ts'
import { apply } from '../values/functions.ts'
import { isInfinite } from '../values/symbolic-set.ts'
import type { Value } from '../values/value.ts'

/**
 * The value with the elements of a function over a finite set evaluated.
 *
 * @throws TlaError
 */
export function evaluated(value: Value): Value {
  if (isCanonical(value) || value.kind === 'symbolic set' || isInfinite(value.domain)) return value
  const elements = asSet(value.domain).elements.map((key) => evaluated(apply(value, key)))
  return elements.every(isCanonical) ? canonical(value) : value
}

/**
 * As `evaluated`, with the elements of a set of unknown size: `{x \in S : P(x)}`.
 *
 * @throws TlaError
 */
export function printable(value: Value): Value {
  const whole = evaluated(value)
  const isUnknown = typeof whole === 'object' && whole.kind === 'symbolic set' && whole.size() === undefined
  return isUnknown ? canonical(whole) : whole
}
