/** Natives of Bitwise: on 32 bits, as in TLC. */
import type { Value } from '../../values/value.ts'
import { type NativeTable, plain } from '../native.ts'
import { integer, natural } from '../operands.ts'

function onBits(operator: string, combine: (left: number, right: number) => number) {
  return plain((left: Value, right: Value) =>
    combine(integer(left, 'first', operator), integer(right, 'second', operator)),
  )
}

export const BITWISE: NativeTable = {
  '&': onBits('&', (left, right) => left & right),
  '|': onBits('|', (left, right) => left | right),
  '^^': onBits('^^', (left, right) => left ^ right),
  Not: plain((value: Value) => {
    const bits = natural(value, 'only', 'Not')
    // As many ones as it has bits.
    return ~bits & (2 ** (32 - Math.clz32(bits)) - 1)
  }),
  shiftR: plain((value: Value, places: Value) => {
    const bits = integer(value, 'first', 'shiftR')
    return (bits >>> natural(places, 'second', 'shiftR')) | 0
  }),
}
