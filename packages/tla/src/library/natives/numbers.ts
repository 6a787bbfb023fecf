/**
 * Natives of Naturals, Integers and Reals. As in TLC, integers have 32 bits, and overflow is an
 * error. Division rounds down, so that a remainder is never negative.
 */
import { interval } from '../../values/enumerated-sets.ts'
import { refusal } from '../../values/refuse.ts'
import { integers, naturals, reals } from '../../values/symbolic-sets.ts'
import type { Value } from '../../values/value.ts'
import { type NativeTable, plain, pure } from '../native.ts'
import { integer, wrongOperand } from '../operands.ts'

export const SMALLEST = -(2 ** 31)
export const LARGEST = 2 ** 31 - 1

/** @throws TlaError on overflow, with the computation: `2147483647 + 1` */
export function checkRange(result: number, left: number, operator: string, right: number): number {
  if (result > LARGEST || result < SMALLEST) throw overflow(`${left} ${operator} ${right}`)
  return result
}

export function overflow(computed: string): Error {
  return refusal(`overflow in computing ${computed}: integers go from ${SMALLEST} to ${LARGEST}, as TLC's do`)
}

export function plus(left: Value, right: Value): number {
  if (typeof left !== 'number') throw wrongOperand('first', '+', 'an integer', left)
  if (typeof right !== 'number') throw wrongOperand('second', '+', 'an integer', right)
  return checkRange(left + right, left, '+', right)
}

function minus(left: Value, right: Value): number {
  if (typeof left !== 'number') throw wrongOperand('first', '-', 'an integer', left)
  if (typeof right !== 'number') throw wrongOperand('second', '-', 'an integer', right)
  return checkRange(left - right, left, '-', right)
}

export function times(left: Value, right: Value): number {
  if (typeof left !== 'number') throw wrongOperand('first', '*', 'an integer', left)
  if (typeof right !== 'number') throw wrongOperand('second', '*', 'an integer', right)
  // A product that a double rounds is beyond 32 bits anyway. `+ 0` removes the sign of -0.
  return checkRange(left * right, left, '*', right) + 0
}

function negated(operand: Value): number {
  if (typeof operand !== 'number') throw wrongOperand('only', 'unary -', 'an integer', operand)
  if (operand === SMALLEST) throw overflow(`-(${operand})`)
  return 0 - operand
}

export function quotient(left: Value, right: Value): number {
  if (typeof left !== 'number') throw wrongOperand('first', '\\div', 'an integer', left)
  if (typeof right !== 'number') throw wrongOperand('second', '\\div', 'an integer', right)
  if (right === 0) throw refusal(`division by zero: ${left} \\div 0`)
  return checkRange(Math.floor(left / right), left, '\\div', right) + 0
}

function remainder(left: Value, right: Value): number {
  if (typeof left !== 'number') throw wrongOperand('first', '%', 'an integer', left)
  if (typeof right !== 'number' || right <= 0) throw wrongOperand('second', '%', 'a positive integer', right)
  const rest = left % right
  return rest < 0 ? rest + right : rest + 0
}

function power(left: Value, right: Value): number {
  const base = integer(left, 'first', '^')
  const exponent = integer(right, 'second', '^')
  if (exponent < 0) throw wrongOperand('second', '^', 'a natural number', right)
  if (exponent === 0) {
    if (base === 0) throw refusal('0 ^ 0 has no value')
    return 1
  }
  if (base === 0 || base === 1) return base
  if (base === -1) return exponent % 2 === 0 ? 1 : -1
  let result = base
  // The absolute value is at least 2, so it overflows within 31 steps.
  for (let step = 1; step < exponent; step++) result = checkRange(result * base, base, '^', exponent)
  return result
}

function isLess(left: Value, right: Value): boolean {
  if (typeof left !== 'number') throw wrongOperand('first', '<', 'an integer', left)
  if (typeof right !== 'number') throw wrongOperand('second', '<', 'an integer', right)
  return left < right
}

function isAtMost(left: Value, right: Value): boolean {
  if (typeof left !== 'number') throw wrongOperand('first', '<=', 'an integer', left)
  if (typeof right !== 'number') throw wrongOperand('second', '<=', 'an integer', right)
  return left <= right
}

function isGreater(left: Value, right: Value): boolean {
  if (typeof left !== 'number') throw wrongOperand('first', '>', 'an integer', left)
  if (typeof right !== 'number') throw wrongOperand('second', '>', 'an integer', right)
  return left > right
}

function isAtLeast(left: Value, right: Value): boolean {
  if (typeof left !== 'number') throw wrongOperand('first', '>=', 'an integer', left)
  if (typeof right !== 'number') throw wrongOperand('second', '>=', 'an integer', right)
  return left >= right
}

export const NATURALS: NativeTable = {
  Nat: pure(
    ({ arena }) =>
      () =>
        naturals(arena),
  ),
  '+': plain(plus),
  '-': plain(minus),
  '*': plain(times),
  '^': plain(power),
  '<': plain(isLess),
  '>': plain(isGreater),
  '\\leq': plain(isAtMost),
  '\\geq': plain(isAtLeast),
  '%': plain(remainder),
  '\\div': plain(quotient),
  '..': pure(
    ({ arena }) =>
      (low: Value, high: Value) =>
        interval(arena, integer(low, 'first', '..'), integer(high, 'second', '..')),
  ),
}

export const INTEGERS: NativeTable = {
  Int: pure(
    ({ arena }) =>
      () =>
        integers(arena),
  ),
  '-.': plain(negated),
}

export const REALS: NativeTable = {
  Real: pure(
    ({ arena }) =>
      () =>
        reals(arena),
  ),
}
