/** Natives of Sequences. As in TLC, only Len, Tail, SubSeq and \o accept a string. */
import type { Arena } from '../../values/arena.ts'
import { canonical } from '../../values/canonical.ts'
import { printCut } from '../../values/print.ts'
import { refusal } from '../../values/refuse.ts'
import { sequences } from '../../values/symbolic-sets.ts'
import type { Canonical, Operator, Value } from '../../values/value.ts'
import { type NativeTable, plain, pure } from '../native.ts'
import { answer, integer, type Ordinal, sequence, wrongOperand } from '../operands.ts'

export function textOf(value: Value): string | undefined {
  return typeof value === 'object' && value.kind === 'string' ? value.text : undefined
}

function length(value: Value): number {
  return textOf(value)?.length ?? sequence(value, 'only', 'Len').length
}

function head(value: Value): Canonical {
  const elements = sequence(value, 'only', 'Head')
  if (elements.length === 0) throw isEmpty('Head')
  return elements[0]!
}

function tail(arena: Arena, value: Value): Value {
  const text = textOf(value)
  if (text !== undefined) {
    if (text === '') throw isEmpty('Tail')
    return arena.string(text.slice(1))
  }
  const elements = sequence(value, 'only', 'Tail')
  if (elements.length === 0) throw isEmpty('Tail')
  return arena.tuple(elements.slice(1))
}

function isEmpty(operator: string): Error {
  return refusal(`${operator} of the empty sequence`)
}

function append(arena: Arena, value: Value, element: Value): Value {
  const elements = sequence(value, 'first', 'Append')
  const longer = elements.slice()
  longer.push(canonical(element))
  return arena.tuple(longer)
}

export function concatenate(arena: Arena, left: Value, right: Value): Value {
  const text = textOf(left)
  if (text !== undefined) {
    const rest = textOf(right)
    if (rest === undefined) throw wrongOperand('second', '\\o', 'a string like the first', right)
    return arena.string(text + rest)
  }
  const first = sequence(left, 'first', '\\o')
  const second = sequence(right, 'second', '\\o')
  if (first.length === 0) return arena.tuple(second)
  if (second.length === 0) return arena.tuple(first)
  return arena.tuple(first.concat(second))
}

/** Elements `from` to `to`, inclusive; empty if `from` > `to`, whatever their range. */
export function subsequence(arena: Arena, value: Value, from: Value, to: Value): Value {
  const text = textOf(value)
  const elements = text === undefined ? sequence(value, 'first', 'SubSeq') : undefined
  const first = integer(from, 'second', 'SubSeq')
  const last = integer(to, 'third', 'SubSeq')
  if (first > last) return text === undefined ? arena.emptyTuple : arena.string('')
  const size = text === undefined ? elements!.length : text.length
  if (first < 1 || first > size) throw outside('second', 'SubSeq', first, value, size)
  if (last > size) throw outside('third', 'SubSeq', last, value, size)
  if (text !== undefined) return arena.string(text.slice(first - 1, last))
  return first === 1 && last === size ? arena.tuple(elements!) : arena.tuple(elements!.slice(first - 1, last))
}

export function outside(ordinal: Ordinal, operator: string, place: number, value: Value, size: number): Error {
  const argument = `the ${ordinal} argument of ${operator}`
  return refusal(
    `${argument} must be an index of the first, 1..${size}, but it is ${place}: the first is ${printCut(value)}`,
  )
}

function select(arena: Arena, value: Value, test: Operator): Value {
  const elements = sequence(value, 'first', 'SelectSeq')
  const kept: Canonical[] = []
  for (const element of elements) if (answer(test(element), 'second', 'SelectSeq')) kept.push(element)
  return arena.tuple(kept)
}

export const SEQUENCES: NativeTable = {
  Seq: pure(
    ({ arena }) =>
      (set: Value) =>
        sequences(arena, set),
  ),
  Len: plain(length),
  Head: plain(head),
  Tail: pure(
    ({ arena }) =>
      (value: Value) =>
        tail(arena, value),
  ),
  Append: pure(
    ({ arena }) =>
      (value: Value, element: Value) =>
        append(arena, value, element),
  ),
  '\\o': pure(
    ({ arena }) =>
      (left: Value, right: Value) =>
        concatenate(arena, left, right),
  ),
  SubSeq: pure(
    ({ arena }) =>
      (value: Value, from: Value, to: Value) =>
        subsequence(arena, value, from, to),
  ),
  SelectSeq: pure(
    ({ arena }) =>
      (value: Value, test: Operator) =>
        select(arena, value, test),
  ),
}
