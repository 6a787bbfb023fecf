/**
 * Natives of TLC.
 *
 * Permutations and sorting call operators in TLC's order, so that an operator with effects, or one
 * that is not an order, gives the same results.
 */
import type { Arena } from '../../values/arena.ts'
import { asSet, canonical } from '../../values/canonical.ts'
import { printCut, printValue } from '../../values/print.ts'
import { refusal } from '../../values/refuse.ts'
import { isInfinite } from '../../values/symbolic-set.ts'
import type { Operator, SymbolicSet, Value } from '../../values/value.ts'
import { printWrapped } from '../../values/wrap.ts'
import { evaluated, printable } from '../evaluated.ts'
import { merged } from '../merge.ts'
import { impure, type NativeTable, plain, pure, volatile } from '../native.ts'
import { answer, listedFunction, sequence } from '../operands.ts'
import { arrangements } from '../permutations.ts'
import { randomElement } from '../random-element.ts'
import { getRegister, setRegister } from '../registers.ts'
import { LARGEST } from './numbers.ts'

/** `{ v : TRUE }`. */
const ANY: SymbolicSet = {
  kind: 'symbolic set',
  describe: () => 'Any',
  has: () => true,
  elements: () => {
    throw refusal('Any contains every value, so that its elements cannot be listed')
  },
  size: () => Number.POSITIVE_INFINITY,
  toSet: () => {
    throw refusal('Any contains every value, so that its elements cannot be listed')
  },
}

function printed(value: Value): string {
  return printWrapped(printable(value))
}

function assertion(holds: Value, message: Value): Value {
  const whole = evaluated(message)
  if (holds === true) return true
  const said = typeof whole === 'object' && whole.kind === 'string' ? whole.text : printCut(whole)
  throw refusal(`the assertion is ${holds === false ? 'FALSE' : printCut(holds)}: ${said}`)
}

/** The union of two functions; the first takes precedence. */
function override(arena: Arena, first: Value, second: Value): Value {
  const left = listedFunction(first, 'first', '@@')
  const right = listedFunction(second, 'second', '@@')
  return merged(arena, left, right, (element) => element)
}

/** All bijections of a set. */
function permutations(arena: Arena, value: Value): Value {
  const domain = asSet(value)
  return arena.set(arrangements(domain.elements).map((images) => arena.function(domain, images)))
}

/** Insertion sort that compares the same pairs as TLC, so that any test gives TLC's result. */
export function sort(arena: Arena, value: Value, isBefore: Operator): Value {
  const sorted = sequence(value, 'first', 'SortSeq').slice()
  for (let at = 1; at < sorted.length; at++) {
    const element = sorted[at]!
    let place = at
    while (place > 0 && answer(isBefore(element, sorted[place - 1]!), 'second', 'SortSeq')) {
      sorted[place] = sorted[place - 1]!
      place--
    }
    sorted[place] = element
  }
  return arena.tuple(sorted)
}

/** The value with its elements evaluated, if it is finite. */
function listed(value: Value): Value {
  if (typeof value !== 'object') return value
  return isInfinite(value.kind === 'rule function' ? value.domain : value) ? value : canonical(value)
}

export const TLC: NativeTable = {
  Print: impure(({ print }) => (out: Value, value: Value) => {
    print(`${printed(out)}  ${printed(value)}`)
    return value
  }),
  PrintT: impure(({ print }) => (out: Value) => {
    print(printed(out))
    return true
  }),
  Assert: plain(assertion),
  JavaTime: impure(
    ({ now }) =>
      () =>
        Math.floor(now() / 1000) & LARGEST,
  ),
  TLCGet: volatile((surroundings) => (name: Value) => getRegister(surroundings, name)),
  TLCSet: impure((surroundings) => (name: Value, value: Value) => setRegister(surroundings, name, value)),
  ':>': pure(
    ({ arena }) =>
      (argument: Value, value: Value) =>
        arena.function(arena.set([canonical(argument)]), [canonical(value)]),
  ),
  '@@': pure(
    ({ arena }) =>
      (first: Value, second: Value) =>
        override(arena, first, second),
  ),
  Permutations: pure(
    ({ arena }) =>
      (set: Value) =>
        permutations(arena, set),
  ),
  SortSeq: pure(
    ({ arena }) =>
      (value: Value, isBefore: Operator) =>
        sort(arena, value, isBefore),
  ),
  RandomElement: impure((surroundings) => (set: Value) => randomElement(surroundings.arena, surroundings.random, set)),
  Any: plain(() => ANY),
  ToString: pure(
    ({ arena }) =>
      (value: Value) =>
        arena.string(printValue(printable(value))),
  ),
  TLCEval: plain(listed),
}
