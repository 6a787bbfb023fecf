/** Natives of DyadicRationals: fractions in lowest terms, records of `num` and `den`. */
import type { Arena } from '../../values/arena.ts'
import { canonical } from '../../values/canonical.ts'
import { field } from '../../values/functions.ts'
import type { Value } from '../../values/value.ts'
import { type NativeTable, plain, pure } from '../native.ts'
import { integer } from '../operands.ts'
import { overflow, plus, quotient, times } from './numbers.ts'

/** In lowest terms. */
function fraction(arena: Arena, numerator: number, denominator: number): Value {
  let [divisor, rest] = [Math.abs(numerator), Math.abs(denominator)]
  while (rest !== 0) [divisor, rest] = [rest, divisor % rest]
  const shape = arena.shape(['den', 'num'])
  if (divisor === 0) return arena.record(shape, [denominator, numerator])
  return arena.record(shape, [quotient(denominator, divisor), quotient(numerator, divisor)])
}

function add(arena: Arena, left: Value, right: Value): Value {
  const [numerator, denominator] = [
    integer(field(left, 'num'), 'first', 'Add'),
    integer(field(left, 'den'), 'first', 'Add'),
  ]
  if (numerator === 0 && denominator === 1) return canonical(right)
  const [otherNumerator, other] = [
    integer(field(right, 'num'), 'second', 'Add'),
    integer(field(right, 'den'), 'second', 'Add'),
  ]
  // One denominator divides the other, as both are powers of two.
  const common = Math.max(denominator, other)
  const sum = plus(times(otherNumerator, quotient(common, other)), times(numerator, quotient(common, denominator)))
  return fraction(arena, sum, common)
}

/** The text of the module searches exponents in 0..den, and overflows at 31 if none fits. */
function isDyadic(value: Value): boolean {
  const denominator = integer(field(value, 'den'), 'only', 'IsDyadicRational')
  if (denominator <= 0) return false
  if ((denominator & (denominator - 1)) === 0) return true
  if (denominator > 30) throw overflow('2 ^ 31')
  return false
}

export const DYADIC_RATIONALS: NativeTable = {
  Add: pure(
    ({ arena }) =>
      (left: Value, right: Value) =>
        add(arena, left, right),
  ),
  Half: pure(({ arena }) => (value: Value) => {
    const denominator = times(integer(field(value, 'den'), 'only', 'Half'), 2)
    return fraction(arena, integer(field(value, 'num'), 'only', 'Half'), denominator)
  }),
  IsDyadicRational: plain(isDyadic),
}
