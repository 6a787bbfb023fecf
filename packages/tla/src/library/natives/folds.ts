/** Natives of Folds, Functions, BagsExt and Apalache: operators that iterate over a function. */
import type { Arena } from '../../values/arena.ts'
import { asSet, canonical } from '../../values/canonical.ts'
import { apply } from '../../values/functions.ts'
import { member } from '../../values/member.ts'
import { printCut } from '../../values/print.ts'
import { refusal } from '../../values/refuse.ts'
import { difference } from '../../values/sets.ts'
import { elementsInTurn } from '../../values/symbolic-set.ts'
import type { Canonical, Operator, Value } from '../../values/value.ts'
import { type NativeTable, plain, pure } from '../native.ts'
import { domainOfListed, functionOfPairs, integer, listedFunction, natural, sequence } from '../operands.ts'
import { checkRange } from './numbers.ts'

/** `op(f(x1), op(f(x2), ... op(f(xn), base)))`, with elements in the order of `choose`. */
function mapThenFold(arena: Arena, op: Operator, base: Value, image: Operator, choose: Operator, set: Value): Value {
  const chosen: Value[] = []
  let rest: Value = asSet(set)
  while (rest !== arena.emptySet) {
    const element = choose(rest)
    if (!member(element, rest)) {
      throw refusal(`the choose operator returned ${printCut(element)}, which is not in ${printCut(rest)}`)
    }
    chosen.push(element)
    rest = difference(arena, rest, arena.set([canonical(element)]))
  }
  let result = base
  for (let at = chosen.length - 1; at >= 0; at--) result = op(image(chosen[at]!), result)
  return result
}

/** `op(xn, ... op(x2, op(x1, base)))`, as in TLC. */
export function foldSet(op: Operator, base: Value, set: Value): Value {
  let result = base
  for (const element of elementsInTurn(set)) result = op(element, result)
  return result
}

function foldOn(op: Operator, base: Value, value: Value, indices: Value): Value {
  let result = base
  for (const index of elementsInTurn(indices)) result = op(apply(value, index), result)
  return result
}

export function foldFunction(op: Operator, base: Value, value: Value): Value {
  let result = base
  for (const element of listedFunction(value, 'third', 'FoldFunction').elements) result = op(element, result)
  return result
}

export function sum(elements: Iterable<Value>, operator: string): number {
  let total = 0
  for (const element of elements) {
    const next = integer(element, 'only', operator)
    total = checkRange(total + next, total, '+', next)
  }
  return total
}

export const FOLDS: NativeTable = {
  MapThenFoldSet: pure(
    ({ arena }) =>
      (op: Operator, base: Value, image: Operator, choose: Operator, set: Value) =>
        mapThenFold(arena, op, base, image, choose, set),
  ),
}

export const FUNCTIONS: NativeTable = {
  Range: pure(
    ({ arena }) =>
      (value: Value) =>
        arena.set(listedFunction(value, 'only', 'Range').elements.slice()),
  ),
  IsInjective: plain((value: Value) => {
    const { elements } = listedFunction(value, 'only', 'IsInjective')
    return new Set(elements).size === elements.length
  }),
  AntiFunction: pure(({ arena }) => (value: Value) => {
    const listed = listedFunction(value, 'only', 'AntiFunction')
    const keys = domainOfListed(arena, listed).elements
    const pairs = new Map<Canonical, Canonical>()
    for (let at = 0; at < keys.length; at++) {
      const element = listed.elements[at]!
      if (pairs.has(element)) {
        throw refusal(
          `AntiFunction of ${printCut(value)}, which has the value ${printCut(element)} for several arguments`,
        )
      }
      pairs.set(element, keys[at]!)
    }
    return functionOfPairs(arena, pairs)
  }),
  FoldFunction: plain(foldFunction),
  FoldFunctionOnSet: plain(foldOn),
  SumFunction: plain((value: Value) => sum(listedFunction(value, 'only', 'SumFunction').elements, 'SumFunction')),
  SumFunctionOnSet: plain((value: Value, indices: Value) => {
    const values: Value[] = []
    for (const index of elementsInTurn(indices)) values.push(apply(value, index))
    return sum(values, 'SumFunctionOnSet')
  }),
}

export const BAGS_EXT: NativeTable = {
  FoldBag: pure(({ arena }) => (op: Operator, base: Value, bag: Value) => {
    const listed = listedFunction(bag, 'third', 'FoldBag')
    const keys = domainOfListed(arena, listed).elements
    let result = base
    for (let at = 0; at < keys.length; at++) {
      const copies = natural(listed.elements[at]!, 'third', 'FoldBag')
      for (let copy = 0; copy < copies; copy++) result = op(result, keys[at]!)
    }
    return result
  }),
}

/** Loops in place of the recursive texts. */
export const APALACHE: NativeTable = {
  ApaFoldSet: plain((op: Operator, base: Value, set: Value) => {
    let result = base
    for (const element of elementsInTurn(set)) result = op(result, element)
    return result
  }),
  ApaFoldSeqLeft: plain((op: Operator, base: Value, value: Value) => {
    let result = base
    for (const element of sequence(value, 'third', 'ApaFoldSeqLeft')) result = op(result, element)
    return result
  }),
  Repeat: plain((op: Operator, times: Value, base: Value) => {
    const last = integer(times, 'second', 'Repeat')
    let result = base
    for (let step = 1; step <= last; step++) result = op(result, step)
    return result
  }),
}
