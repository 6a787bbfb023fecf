/** Natives of SequencesExt. As in TLC, prefixes and replacements work for strings too. */
import type { Arena } from '../../values/arena.ts'
import { asSet } from '../../values/canonical.ts'
import { equal } from '../../values/equality.ts'
import { refusal } from '../../values/refuse.ts'
import type { Canonical, Operator, SetValue, Value } from '../../values/value.ts'
import { type NativeTable, plain, pure } from '../native.ts'
import { answer, integer, listedFunction, type Ordinal, sequence, wrongOperand } from '../operands.ts'
import { arrangements } from '../permutations.ts'
import { foldFunction } from './folds.ts'
import { concatenate, outside, subsequence, textOf } from './sequences.ts'
import { sort } from './tlc.ts'

/** Longest sequences whose subsequences, or consecutive subsequences, are enumerated. */
const MOST_WITH_ALL_PARTS = 20
const MOST_WITH_PARTS = 1000

/** The first index on the way from `from` to `to` whose element satisfies the test; 0 if none. */
function search(
  elements: readonly Canonical[],
  from: number,
  to: number,
  test: (element: Canonical) => boolean,
): number {
  const step = from <= to ? 1 : -1
  for (let place = from; place !== to + step; place += step) if (test(elements[place - 1]!)) return place
  return 0
}

function select(operator: string, isLast: boolean) {
  return (value: Value, test: Operator): number => {
    const elements = sequence(value, 'first', operator)
    if (elements.length === 0) return 0
    const asked = (element: Canonical) => answer(test(element), 'second', operator)
    return isLast ? search(elements, elements.length, 1, asked) : search(elements, 1, elements.length, asked)
  }
}

function selectIn(operator: string, isLast: boolean) {
  return (value: Value, from: Value, to: Value, test: Operator): number => {
    const elements = sequence(value, 'first', operator)
    const first = integer(from, 'second', operator)
    const last = integer(to, 'third', operator)
    if (first > last) return 0
    checkPlace(first, 'second', operator, value, elements)
    checkPlace(last, 'third', operator, value, elements)
    const asked = (element: Canonical) => answer(test(element), 'fourth', operator)
    return isLast ? search(elements, last, first, asked) : search(elements, first, last, asked)
  }
}

function checkPlace(
  place: number,
  ordinal: Ordinal,
  operator: string,
  value: Value,
  elements: readonly Canonical[],
): void {
  if (place < 1 || place > elements.length) throw outside(ordinal, operator, place, value, elements.length)
}

function without(arena: Arena, elements: readonly Canonical[], place: number): Value {
  return arena.tuple(place === 0 ? elements : elements.toSpliced(place - 1, 1))
}

/** Both strings, or both sequences. */
function isPrefix(part: Value, whole: Value): boolean {
  const [shorter, longer] = [textOf(part), textOf(whole)]
  if (shorter !== undefined && longer !== undefined) return longer.startsWith(shorter)
  const first = sequence(part, 'first', 'IsPrefix')
  const second = sequence(whole, 'second', 'IsPrefix')
  return first.length <= second.length && first.every((element, at) => equal(element, second[at]!))
}

function longestCommonPrefix(arena: Arena, set: Value): Value {
  const { elements } = asSet(set)
  const first = elements[0]
  if (first === undefined) throw wrongOperand('only', 'LongestCommonPrefix', 'a set that is not empty', set)
  const isText = textOf(first) !== undefined
  const units = elements.map((element) => unitsOf(element, isText, set))
  let length = 0
  while (units.every((unit) => length < unit.length && equalUnits(unit[length]!, units[0]![length]!))) length++
  return isText
    ? arena.string(textOf(first)!.slice(0, length))
    : arena.tuple((units[0] as Canonical[]).slice(0, length))
}

function unitsOf(element: Value, isText: boolean, set: Value): readonly (Canonical | string)[] {
  const text = textOf(element)
  if (isText !== (text !== undefined)) {
    throw wrongOperand('only', 'LongestCommonPrefix', 'a set of sequences or a set of strings', set)
  }
  return text?.split('') ?? sequence(element, 'only', 'LongestCommonPrefix')
}

function equalUnits(left: Canonical | string, right: Canonical | string): boolean {
  return typeof left === 'string' || typeof right === 'string' ? left === right : equal(left, right)
}

function tooManyParts(length: number, most: number): Error {
  return refusal(`a sequence of ${length} elements has too many subsequences: at most ${most} elements are allowed`)
}

/** All consecutive subsequences, including the empty one. */
function subsequences(arena: Arena, value: Value): SetValue {
  const text = textOf(value)
  const elements = text === undefined ? sequence(value, 'only', 'SubSeqs') : undefined
  const length = text?.length ?? elements!.length
  if (length > MOST_WITH_PARTS) throw tooManyParts(length, MOST_WITH_PARTS)
  const part = (from: number, to: number): Canonical =>
    text === undefined ? arena.tuple(elements!.slice(from, to)) : arena.string(text.slice(from, to))
  const parts = [part(0, 0)]
  for (let from = 0; from < length; from++) for (let to = from + 1; to <= length; to++) parts.push(part(from, to))
  return arena.set(parts)
}

function allSubsequences(arena: Arena, value: Value): SetValue {
  const elements = sequence(value, 'only', 'AllSubSeqs')
  if (elements.length > MOST_WITH_ALL_PARTS) throw tooManyParts(elements.length, MOST_WITH_ALL_PARTS)
  const parts: Canonical[] = []
  for (let chosen = 0; chosen < 2 ** elements.length; chosen++) {
    parts.push(arena.tuple(elements.filter((_, at) => (chosen & (1 << at)) !== 0)))
  }
  return arena.set(parts)
}

/** Replaces occurrences of `part` in `whole`, from the left; for strings or sequences. */
function replace(arena: Arena, by: Value, part: Value, whole: Value, operator: string, isAll: boolean): Value {
  const [byText, partText, wholeText] = [textOf(by), textOf(part), textOf(whole)]
  if (byText !== undefined && partText !== undefined && wholeText !== undefined) {
    const replaced = replaceIn(wholeText.split(''), partText.split(''), byText.split(''), isAll, (a, b) => a === b)
    return arena.string(replaced.join(''))
  }
  const [first, second, third] = [
    sequence(by, 'first', operator),
    sequence(part, 'second', operator),
    sequence(whole, 'third', operator),
  ]
  return arena.tuple(replaceIn(third, second, first, isAll, equal))
}

function replaceIn<Unit>(
  whole: readonly Unit[],
  part: readonly Unit[],
  by: readonly Unit[],
  isAll: boolean,
  isSame: (left: Unit, right: Unit) => boolean,
): Unit[] {
  if (part.length === 0) {
    // Before the first element, or before each.
    if (!isAll || whole.length === 0) return [...by, ...whole]
    return whole.flatMap((unit) => [...by, unit])
  }
  const result: Unit[] = []
  let at = 0
  let isOver = false
  while (at < whole.length) {
    if (
      !isOver &&
      at + part.length <= whole.length &&
      part.every((unit, offset) => isSame(unit, whole[at + offset]!))
    ) {
      for (const unit of by) result.push(unit)
      at += part.length
      isOver = !isAll
    } else result.push(whole[at++]!)
  }
  return result
}

function flatten(arena: Arena, value: Value): Value {
  if (textOf(value) === '') return value
  const parts = sequence(value, 'only', 'FlattenSeq')
  if (parts.length === 0) return arena.emptyTuple
  if (textOf(parts[0]!) !== undefined)
    return parts.slice(1).reduce<Value>((a, b) => concatenate(arena, a, b), parts[0]!)
  const elements: Canonical[] = []
  for (const part of parts) for (const element of sequence(part, 'first', '\\o')) elements.push(element)
  return arena.tuple(elements)
}

export const SEQUENCES_EXT: NativeTable = {
  ToSet: pure(
    ({ arena }) =>
      (value: Value) =>
        arena.set(listedFunction(value, 'only', 'ToSet').elements.slice()),
  ),
  SetToSeq: pure(
    ({ arena }) =>
      (set: Value) =>
        arena.tuple(asSet(set).elements),
  ),
  SetToSeqs: pure(
    ({ arena }) =>
      (set: Value) =>
        arena.set(arrangements(asSet(set).elements).map((order) => arena.tuple(order))),
  ),
  SetToSortSeq: pure(
    ({ arena }) =>
      (set: Value, isBefore: Operator) =>
        sort(arena, arena.tuple(asSet(set).elements), isBefore),
  ),
  Contains: plain((value: Value, element: Value) =>
    sequence(value, 'first', 'Contains').some((other) => equal(other, element)),
  ),
  Reverse: pure(
    ({ arena }) =>
      (value: Value) =>
        arena.tuple(sequence(value, 'only', 'Reverse').toReversed()),
  ),
  Remove: pure(
    ({ arena }) =>
      (value: Value, element: Value) =>
        arena.tuple(sequence(value, 'first', 'Remove').filter((other) => !equal(other, element))),
  ),
  RemoveAt: pure(({ arena }) => (value: Value, place: Value) => {
    const at = integer(place, 'second', 'RemoveAt')
    const size = textOf(value)?.length ?? sequence(value, 'first', 'RemoveAt').length
    return concatenate(arena, subsequence(arena, value, 1, at - 1), subsequence(arena, value, at + 1, size))
  }),
  RemoveFirst: pure(({ arena }) => (value: Value, element: Value) => {
    const elements = sequence(value, 'first', 'RemoveFirst')
    return without(arena, elements, elements.findIndex((other) => equal(other, element)) + 1)
  }),
  RemoveFirstMatch: pure(({ arena }) => (value: Value, test: Operator) => {
    const elements = sequence(value, 'first', 'RemoveFirstMatch')
    const place = elements.findIndex((element) => answer(test(element), 'second', 'RemoveFirstMatch')) + 1
    return without(arena, elements, place)
  }),
  SelectInSeq: plain(select('SelectInSeq', false)),
  SelectInSubSeq: plain(selectIn('SelectInSubSeq', false)),
  SelectLastInSeq: plain(select('SelectLastInSeq', true)),
  SelectLastInSubSeq: plain(selectIn('SelectLastInSubSeq', true)),
  IsPrefix: plain(isPrefix),
  LongestCommonPrefix: pure(
    ({ arena }) =>
      (set: Value) =>
        longestCommonPrefix(arena, set),
  ),
  Suffixes: pure(({ arena }) => (value: Value) => {
    const elements = sequence(value, 'only', 'Suffixes')
    return arena.set([arena.emptyTuple, ...elements.map((_, at) => arena.tuple(elements.slice(at)))])
  }),
  FoldSeq: plain(foldFunction),
  FoldLeft: plain((op: Operator, base: Value, value: Value) => {
    let result = base
    for (const element of sequence(value, 'third', 'FoldLeft')) result = op(result, element)
    return result
  }),
  FoldRight: plain((op: Operator, value: Value, base: Value) => {
    const elements = sequence(value, 'second', 'FoldRight')
    let result = base
    for (let at = elements.length - 1; at >= 0; at--) result = op(elements[at]!, result)
    return result
  }),
  FoldLeftDomain: plain((op: Operator, base: Value, value: Value) => {
    const { length } = sequence(value, 'third', 'FoldLeftDomain')
    let result = base
    for (let place = 1; place <= length; place++) result = op(result, place)
    return result
  }),
  FoldRightDomain: plain((op: Operator, value: Value, base: Value) => {
    const { length } = sequence(value, 'second', 'FoldRightDomain')
    let result = base
    for (let place = length; place >= 1; place--) result = op(place, result)
    return result
  }),
  FlattenSeq: pure(
    ({ arena }) =>
      (value: Value) =>
        flatten(arena, value),
  ),
  SubSeqs: pure(
    ({ arena }) =>
      (value: Value) =>
        subsequences(arena, value),
  ),
  AllSubSeqs: pure(
    ({ arena }) =>
      (value: Value) =>
        allSubsequences(arena, value),
  ),
  ReplaceFirstSubSeq: pure(
    ({ arena }) =>
      (by: Value, part: Value, whole: Value) =>
        replace(arena, by, part, whole, 'ReplaceFirstSubSeq', false),
  ),
  ReplaceAllSubSeqs: pure(
    ({ arena }) =>
      (by: Value, part: Value, whole: Value) =>
        replace(arena, by, part, whole, 'ReplaceAllSubSeqs', true),
  ),
}
