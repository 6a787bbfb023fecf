import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Arena } from '../../src/values/arena.ts'
import { asSet, canonical } from '../../src/values/canonical.ts'
import { interval } from '../../src/values/enumerated-sets.ts'
import { equal } from '../../src/values/equality.ts'
import { member } from '../../src/values/member.ts'
import { compare } from '../../src/values/order.ts'
import { printValue } from '../../src/values/print.ts'
import { cardinality, filtered, isFiniteSet } from '../../src/values/sets.ts'
import { elementsInTurn } from '../../src/values/symbolic-set.ts'
import {
  functionSet,
  integers,
  isSubset,
  naturals,
  powerset,
  product,
  recordSet,
  sequences,
  strings,
} from '../../src/values/symbolic-sets.ts'
import type { Value } from '../../src/values/value.ts'
import { make, types } from './naive.ts'

const arena = new Arena()
const [zero, two] = [arena.interval(0, 1), arena.interval(1, 2)]
const shape = arena.shape(['b', 'a'])

const FINITE: readonly (readonly [string, Value, readonly string[]])[] = [
  [
    'SUBSET',
    powerset(arena, arena.interval(1, 3)),
    ['{}', '{1}', '{2}', '{3}', '{1, 2}', '{1, 3}', '{2, 3}', '{1, 2, 3}'],
  ],
  ['functions', functionSet(arena, two, zero), ['<<0, 0>>', '<<0, 1>>', '<<1, 0>>', '<<1, 1>>']],
  ['functions from nothing', functionSet(arena, arena.emptySet, zero), ['<<>>']],
  ['functions into nothing', functionSet(arena, two, arena.emptySet), []],
  ['records', recordSet(arena, shape, [zero, arena.set([5])]), ['[a |-> 0, b |-> 5]', '[a |-> 1, b |-> 5]']],
  ['tuples', product(arena, [zero, two]), ['<<0, 1>>', '<<0, 2>>', '<<1, 1>>', '<<1, 2>>']],
  ['tuples of nothing', product(arena, [zero, arena.emptySet]), []],
  ['an interval', interval(arena, 1, 3), ['1', '2', '3']],
  ['an empty interval', interval(arena, 3, 1), []],
  ['a filter', filtered(arena, powerset(arena, two), (each) => each !== arena.emptySet), ['{1}', '{2}', '{1, 2}']],
]

describe.each(FINITE)('%s', (_name, set, elements) => {
  test('has its elements, in their order', () => {
    expect([...elementsInTurn(set)].map(printValue)).toEqual(elements)
    expect(asSet(set).elements.map(printValue)).toEqual(elements)
    expect(cardinality(set)).toBe(elements.length)
  })

  test('is equal to the set of them, and to nothing else', () => {
    expect(equal(set, asSet(set))).toBe(true)
    expect(equal(asSet(set), set)).toBe(true)
    expect(equal(set, arena.set([arena.modelValue('other')]))).toBe(false)
    expect(canonical(set)).toBe(asSet(set))
    expect(isSubset(set, asSet(set))).toBe(true)
  })
})

test('a set that is not listed holds what it lists, and nothing else', () => {
  const small = types.chain((type) => fc.tuple(fc.array(type, { maxLength: 3 }), fc.array(type, { maxLength: 3 })))
  fc.assert(
    fc.property(small, small, ([one, more], [other]) => {
      const own = new Arena()
      const of = (values: typeof one) => own.set(values.map((each) => make(own, each)))
      const [left, right] = [of(one), of(other)]
      const larger = of([...one, ...more])
      const pairs = [
        [powerset(own, left), powerset(own, larger)],
        [product(own, [left, right]), product(own, [larger, right])],
        [functionSet(own, left, right), functionSet(own, left, of([...other, ...other]))],
        [recordSet(own, own.shape(['x', 'y']), [left, right]), recordSet(own, own.shape(['x', 'y']), [larger, right])],
      ] as const
      for (const [set, around] of pairs) {
        const listed = asSet(set)
        expect(cardinality(set)).toBe(listed.elements.length)
        expect(listed.elements.toSorted(compare)).toEqual(listed.elements)
        for (const element of asSet(around).elements) expect(member(element, set)).toBe(member(element, listed))
      }
    }),
    { numRuns: 60 },
  )
})

describe('large sets', () => {
  const huge = interval(arena, 1, 2_000_000_000)

  test('answer without being listed', () => {
    expect(cardinality(huge)).toBe(2_000_000_000)
    expect(member(1_999_999_999, huge)).toBe(true)
    expect(equal(huge, interval(arena, 1, 2_000_000_000))).toBe(true)
    expect(equal(huge, interval(arena, 1, 1_999_999_999))).toBe(false)
    expect(isSubset(interval(arena, 5, 1_000_000_000), huge)).toBe(true)
    expect(isSubset(huge, naturals(arena))).toBe(true)
    expect(isSubset(interval(arena, -1, 1_000_000_000), naturals(arena))).toBe(false)
    expect(cardinality(powerset(arena, arena.interval(1, 30)))).toBe(2 ** 30)
    expect(member(arena.set([3, 77]), powerset(arena, huge))).toBe(true)
    expect(isSubset(powerset(arena, arena.interval(1, 200)), powerset(arena, huge))).toBe(true)
    expect(equal(powerset(arena, huge), powerset(arena, huge))).toBe(true)
    expect(member(arena.tuple([7, 8]), product(arena, [huge, huge]))).toBe(true)
  })

  test('are finite however large', () => {
    const wide = arena.interval(1, 2000)
    const sets = [
      powerset(arena, huge),
      functionSet(arena, wide, wide),
      product(
        arena,
        wide.elements.map(() => wide),
      ),
    ]
    for (const set of sets) {
      expect(isFiniteSet(set)).toBe(true)
      expect(() => cardinality(set)).toThrow('does not fit into 32 bits')
    }
    expect(isFiniteSet(functionSet(arena, wide, naturals(arena)))).toBe(false)
    expect(isFiniteSet(product(arena, [arena.emptySet, naturals(arena)]))).toBe(true)
  })

  test('give their first elements without the rest', () => {
    const first = (set: Value) => printValue(elementsInTurn(set)[Symbol.iterator]().next().value!)
    expect(first(powerset(arena, arena.interval(1, 60)))).toBe('{}')
    expect(first(functionSet(arena, arena.interval(1, 3), arena.interval(0, 200)))).toBe('<<0, 0, 0>>')
    expect(first(huge)).toBe('1')
  })

  test('are described in messages', () => {
    const describe = (set: Value) => printValue(set)
    expect(describe(huge)).toBe('1..2000000000')
    expect(describe(powerset(arena, arena.interval(1, 30)))).toBe('SUBSET (1..30)')
    expect(describe(functionSet(arena, arena.interval(1, 30), naturals(arena)))).toBe('[1..30 -> Nat]')
    expect(describe(recordSet(arena, shape, [strings(arena), huge]))).toBe('[a: STRING, b: 1..2000000000]')
    expect(describe(product(arena, [huge, naturals(arena)]))).toBe('(1..2000000000 \\X Nat)')
    expect(describe(sequences(arena, arena.booleans))).toBe('Seq({FALSE, TRUE})')
    expect(describe(filtered(arena, integers(arena), () => true))).toBe('{x \\in Int : ...}')
  })
})

test('the predicate of a set that is not listed is asked of the elements that matter only', () => {
  const asked: Value[] = []
  const set = filtered(arena, naturals(arena), (each) => {
    asked.push(each)
    return true
  })
  expect(member(7, set)).toBe(true)
  expect(member(-7, set)).toBe(false)
  expect(asked).toEqual([7])
})

test('sequences are of elements of the set, tuples only', () => {
  const set = sequences(arena, zero)
  expect([[], [0, 1, 0], [2]].map((elements) => member(arena.tuple(elements), set))).toEqual([true, true, false])
  expect(() => member(arena.function(arena.set([2]), [1]), set)).toThrow('is an element of Seq(0..1)')
  expect(equal(set, sequences(arena, zero))).toBe(true)
  expect(equal(set, sequences(arena, two))).toBe(false)
})

test('sets without end are equal by name', () => {
  expect(equal(naturals(arena), naturals(arena))).toBe(true)
  expect(equal(naturals(arena), integers(arena))).toBe(false)
  expect(equal(naturals(arena), arena.modelValue('r1'))).toBe(false)
  expect(() => equal(naturals(arena), arena.set([1]))).toThrow(
    'attempted to compare the infinite set Nat with the set {1}',
  )
  expect(equal(functionSet(arena, zero, naturals(arena)), functionSet(arena, zero, naturals(arena)))).toBe(true)
})
