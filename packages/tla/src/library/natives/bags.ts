/**
 * Natives of Bags. A bag is a function from elements to positive numbers of copies. As in TLC,
 * operators check only the part of an operand that they use.
 */
import type { Arena } from '../../values/arena.ts'
import { asSet, canonical } from '../../values/canonical.ts'
import { placeIn } from '../../values/member.ts'
import { printCut } from '../../values/print.ts'
import { refusal } from '../../values/refuse.ts'
import type { Canonical, Operator, Value } from '../../values/value.ts'
import { merged, reduced } from '../merge.ts'
import { type NativeTable, plain, pure } from '../native.ts'
import {
  domainOfListed,
  functionOfPairs,
  type ListedFunction,
  listedFunction,
  type Ordinal,
  toListedFunction,
  wrongOperand,
} from '../operands.ts'
import { checkRange } from './numbers.ts'

/** @throws TlaError unless it is a function to integers */
function countsOf(value: Value, ordinal: Ordinal, operator: string): ListedFunction {
  const listed = listedFunction(value, ordinal, operator)
  for (const copies of listed.elements) {
    if (typeof copies !== 'number') throw wrongOperand(ordinal, operator, 'a bag', value)
  }
  return listed
}

function bagOf(value: Value, ordinal: Ordinal, operator: string): ListedFunction {
  if (!isBag(value)) throw wrongOperand(ordinal, operator, 'a bag', value)
  return listedFunction(value, ordinal, operator)
}

function isBag(value: Value): boolean {
  const listed = toListedFunction(value)
  return listed?.elements.every((count) => typeof count === 'number' && count > 0) ?? false
}

function sum(left: Canonical, right: Canonical): number {
  return checkRange((left as number) + (right as number), left as number, '+', right as number)
}

/** The copies of one element; 0 if it is not in the bag. */
function count(arena: Arena, element: Value, bag: Value, operator: string): number {
  const listed = listedFunction(bag, 'second', operator)
  const at = placeIn(domainOfListed(arena, listed), canonical(element))
  if (at < 0) return 0
  const copies = listed.elements[at]!
  if (typeof copies !== 'number') throw wrongOperand('second', operator, 'a bag', bag)
  return copies
}

function union(arena: Arena, set: Value): Value {
  const bags = asSet(set).elements
  if (bags.length === 1) return bags[0]!
  let result: ListedFunction = arena.emptyTuple
  for (const bag of bags) {
    if (toListedFunction(bag) === undefined) {
      throw refusal(`BagUnion of a set that holds what is not a bag: ${printCut(bag)}`)
    }
    result = merged(arena, result, countsOf(bag, 'only', 'BagUnion'), sum)
  }
  return result
}

export const BAGS: NativeTable = {
  IsABag: plain(isBag),
  BagToSet: pure(
    ({ arena }) =>
      (bag: Value) =>
        domainOfListed(arena, listedFunction(bag, 'only', 'BagToSet')),
  ),
  SetToBag: pure(({ arena }) => (set: Value) => {
    const domain = asSet(set)
    return arena.function(
      domain,
      domain.elements.map(() => 1),
    )
  }),
  BagIn: pure(
    ({ arena }) =>
      (element: Value, bag: Value) =>
        count(arena, element, bag, 'BagIn') > 0,
  ),
  EmptyBag: pure(
    ({ arena }) =>
      () =>
        arena.emptyTuple,
  ),
  CopiesIn: pure(
    ({ arena }) =>
      (element: Value, bag: Value) =>
        count(arena, element, bag, 'CopiesIn'),
  ),
  '(+)': pure(
    ({ arena }) =>
      (left: Value, right: Value) =>
        merged(arena, bagOf(left, 'first', '(+)'), bagOf(right, 'second', '(+)'), sum),
  ),
  '(-)': pure(({ arena }) => (left: Value, right: Value) => {
    const [from, taken] = [countsOf(left, 'first', '(-)'), countsOf(right, 'second', '(-)')]
    return reduced(arena, from, taken, (copies, fewer = 0) => {
      const rest = (copies as number) - (fewer as number)
      return rest > 0 ? rest : undefined
    })
  }),
  BagUnion: pure(
    ({ arena }) =>
      (set: Value) =>
        union(arena, set),
  ),
  '\\sqsubseteq': pure(({ arena }) => (left: Value, right: Value) => {
    const [part, whole] = [countsOf(left, 'first', '\\sqsubseteq'), countsOf(right, 'second', '\\sqsubseteq')]
    const missing = reduced(arena, part, whole, (copies, available = 0) => (copies > available ? copies : undefined))
    return missing === arena.emptyTuple
  }),
  BagOfAll: pure(({ arena }) => (image: Operator, bag: Value) => {
    const counted = countsOf(bag, 'second', 'BagOfAll')
    const keys = domainOfListed(arena, counted).elements
    const images = new Map<Canonical, Canonical>()
    for (let at = 0; at < keys.length; at++) {
      const element = canonical(image(keys[at]!))
      const known = images.get(element)
      images.set(element, known === undefined ? counted.elements[at]! : sum(known, counted.elements[at]!))
    }
    return functionOfPairs(arena, images)
  }),
  BagCardinality: plain((bag: Value) => bagOf(bag, 'only', 'BagCardinality').elements.reduce(sum, 0)),
}
