/**
 * Natives of Bags. A bag is a function from its elements to how many copies of each it has, at least one; as TLC's, these
 * check no more of their operands than they need.
 */
import type { Arena } from '../../values/arena.ts'
import { asSet, canonical } from '../../values/canonical.ts'
import { placeIn } from '../../values/member.ts'
import { printCut } from '../../values/print.ts'
import { refusal } from '../../values/refuse.ts'
import type { Canonical, Value } from '../../values/value.ts'
import { type NativeTable, type Operator, plain, pure } from '../native.ts'
import {
  domainOfListed,
  functionOfPairs,
  listedFunction,
  type Ordinal,
  toListedFunction,
  wrongOperand,
} from '../operands.ts'
import { checkRange } from './numbers.ts'

/** How many copies there are of each element. */
type Copies = Map<Canonical, number>

/** @throws TlaError unless it is a function to integers */
function copiesOf(arena: Arena, value: Value, ordinal: Ordinal, operator: string): Copies {
  const listed = listedFunction(value, ordinal, operator)
  const copies: Copies = new Map()
  const keys = domainOfListed(arena, listed).elements
  for (const [at, count] of listed.elements.entries()) {
    if (typeof count !== 'number') throw wrongOperand(ordinal, operator, 'a bag', value)
    copies.set(keys[at]!, count)
  }
  return copies
}

function bagOf(arena: Arena, value: Value, ordinal: Ordinal, operator: string): Copies {
  if (!isBag(value)) throw wrongOperand(ordinal, operator, 'a bag', value)
  return copiesOf(arena, value, ordinal, operator)
}

function isBag(value: Value): boolean {
  const listed = toListedFunction(value)
  return listed?.elements.every((count) => typeof count === 'number' && count > 0) ?? false
}

function add(to: Copies, element: Canonical, count: number): void {
  const known = to.get(element)
  to.set(element, known === undefined ? count : checkRange(known + count, known, '+', count))
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
  const sum: Copies = new Map()
  for (const bag of bags) {
    if (toListedFunction(bag) === undefined) {
      throw refusal(`BagUnion of a set that holds what is not a bag: ${printCut(bag)}`)
    }
    for (const [element, copies] of copiesOf(arena, bag, 'only', 'BagUnion')) add(sum, element, copies)
  }
  return functionOfPairs(arena, sum)
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
  '(+)': pure(({ arena }) => (left: Value, right: Value) => {
    const sum = bagOf(arena, left, 'first', '(+)')
    for (const [element, copies] of bagOf(arena, right, 'second', '(+)')) add(sum, element, copies)
    return functionOfPairs(arena, sum)
  }),
  '(-)': pure(({ arena }) => (left: Value, right: Value) => {
    const taken = copiesOf(arena, right, 'second', '(-)')
    const rest: Copies = new Map()
    for (const [element, copies] of copiesOf(arena, left, 'first', '(-)')) {
      const kept = copies - (taken.get(element) ?? 0)
      if (kept > 0) rest.set(element, kept)
    }
    return functionOfPairs(arena, rest)
  }),
  BagUnion: pure(
    ({ arena }) =>
      (set: Value) =>
        union(arena, set),
  ),
  '\\sqsubseteq': pure(({ arena }) => (left: Value, right: Value) => {
    const available = copiesOf(arena, right, 'second', '\\sqsubseteq')
    for (const [element, copies] of copiesOf(arena, left, 'first', '\\sqsubseteq')) {
      if (copies > (available.get(element) ?? 0)) return false
    }
    return true
  }),
  BagOfAll: pure(({ arena }) => (image: Operator, bag: Value) => {
    const images: Copies = new Map()
    for (const [element, copies] of copiesOf(arena, bag, 'second', 'BagOfAll')) {
      add(images, canonical(image(element)), copies)
    }
    return functionOfPairs(arena, images)
  }),
  BagCardinality: pure(({ arena }) => (bag: Value) => {
    let total = 0
    for (const copies of bagOf(arena, bag, 'only', 'BagCardinality').values()) {
      total = checkRange(total + copies, total, '+', copies)
    }
    return total
  }),
}
