/** Natives of FiniteSets and FiniteSetsExt. */
import { asSet } from '../../values/canonical.ts'
import { Filtered } from '../../values/combined-sets.ts'
import { Interval } from '../../values/enumerated-sets.ts'
import { refusal } from '../../values/refuse.ts'
import { cardinality, isFiniteSet } from '../../values/sets.ts'
import { elementsInTurn } from '../../values/symbolic-set.ts'
import type { Operator, Value } from '../../values/value.ts'
import { type NativeTable, plain, pure } from '../native.ts'
import { answer, integer } from '../operands.ts'
import { foldSet, sum } from './folds.ts'
import { Subsets } from './k-subsets.ts'
import { checkRange } from './numbers.ts'

/** Elements are compared with `>=` or `<=`, so that only integers are accepted. */
function extreme(set: Value, operator: 'Max' | 'Min'): number {
  if (set instanceof Interval) return operator === 'Max' ? set.high : set.low
  let result: number | undefined
  for (const element of elementsInTurn(set)) {
    const next = integer(element, 'first', operator === 'Max' ? '>=' : '<=')
    if (result === undefined || (operator === 'Max' ? next > result : next < result)) result = next
  }
  if (result === undefined) throw refusal(`${operator} of the empty set has no value`)
  return result
}

/** As in TLC, functions are finite, and a filter over an infinite set is an error. */
function isFiniteAsTlc(value: Value): boolean {
  if (typeof value === 'object') {
    if (value.kind === 'tuple' || value.kind === 'record' || value.kind === 'function') return true
    if (value instanceof Filtered) return isFiniteSet(value.toSet())
  }
  return isFiniteSet(value)
}

export const FINITE_SETS: NativeTable = {
  IsFiniteSet: plain(isFiniteAsTlc),
  Cardinality: plain(cardinality),
}

export const FINITE_SETS_EXT: NativeTable = {
  FoldSet: plain(foldSet),
  ReduceSet: plain((op: Operator, set: Value, base: Value) => foldSet(op, base, set)),
  SumSet: plain((set: Value) => sum(elementsInTurn(set), 'SumSet')),
  ProductSet: plain((set: Value) => {
    let product = 1
    for (const element of elementsInTurn(set)) {
      const next = integer(element, 'only', 'ProductSet')
      product = checkRange(next * product, next, '*', product) + 0
    }
    return product
  }),
  MapThenSumSet: plain((op: Operator, set: Value) => {
    const images: Value[] = []
    for (const element of elementsInTurn(set)) images.push(op(element))
    return sum(images, 'MapThenSumSet')
  }),
  Quantify: plain((set: Value, test: Operator) => {
    let count = 0
    for (const element of elementsInTurn(set)) if (answer(test(element), 'second', 'Quantify')) count++
    return count
  }),
  kSubset: pure(({ arena }) => (count: Value, set: Value) => {
    const wanted = integer(count, 'first', 'kSubset')
    const base = asSet(set)
    return wanted < 0 || wanted > base.elements.length ? arena.emptySet : new Subsets(arena, base, wanted)
  }),
  Max: plain((set: Value) => extreme(set, 'Max')),
  Min: plain((set: Value) => extreme(set, 'Min')),
}
