import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Arena } from '../../src/values/arena.ts'
import { asSet } from '../../src/values/canonical.ts'
import { interval } from '../../src/values/enumerated-sets.ts'
import { equal } from '../../src/values/equality.ts'
import { member } from '../../src/values/member.ts'
import { printValue } from '../../src/values/print.ts'
import {
  added,
  cardinality,
  difference,
  intersection,
  isFiniteSet,
  setOf,
  union,
  unionOf,
  unionOfAll,
} from '../../src/values/sets.ts'
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
import { keyOf, make, type Naive, someOfOneType, types } from './naive.ts'

/** Two lists of one type, long ones now and then, to go both ways that depend on the size. */
const twoLists = fc.oneof(
  types.chain((type) => fc.tuple(fc.array(type, { maxLength: 6 }), fc.array(type, { maxLength: 6 }))),
  fc.tuple(longList(), longList()),
)

function longList(): fc.Arbitrary<Naive[]> {
  const message = fc.tuple(fc.nat(30), fc.nat(30)).map(
    ([from, to]): Naive => ({
      pairs: [
        [{ string: 'from' }, from],
        [{ string: 'to' }, to],
      ],
    }),
  )
  return fc.array(message, { minLength: 0, maxLength: 200 })
}

describe('the operators of sets agree with lists of keys', () => {
  test('of two sets', () => {
    fc.assert(
      fc.property(twoLists, ([one, other]) => {
        const arena = new Arena()
        const of = (values: readonly Naive[]) => arena.set(values.map((value) => make(arena, value)))
        const [left, right] = [of(one), of(other)]
        const keys = new Set(other.map(keyOf))
        const both = one.filter((value) => keys.has(keyOf(value)))
        const rest = one.filter((value) => !keys.has(keyOf(value)))
        expect(union(arena, left, right)).toBe(of([...one, ...other]))
        expect(intersection(arena, left, right)).toBe(of(both))
        expect(difference(arena, left, right)).toBe(of(rest))
        expect(isSubset(left, right)).toBe(rest.length === 0)
        expect(cardinality(left)).toBe(new Set(one.map(keyOf)).size)
        expect(unionOf(arena, arena.set([left, right]))).toBe(union(arena, left, right))
        for (const value of one) {
          expect(member(make(arena, value), right)).toBe(keys.has(keyOf(value)))
          expect(added(arena, right, make(arena, value))).toBe(of([...other, value]))
        }
      }),
      { numRuns: 150 },
    )
  })

  test('of the elements of a powerset: all subsets, each once', () => {
    fc.assert(
      fc.property(someOfOneType(0, 5), (values) => {
        const arena = new Arena()
        const base = arena.set(values.map((value) => make(arena, value)))
        const all = asSet(powerset(arena, base))
        expect(all.elements.length).toBe(2 ** base.elements.length)
        for (const subset of all.elements) expect(isSubset(subset, base)).toBe(true)
        expect(unionOf(arena, all)).toBe(base)
      }),
      { numRuns: 50 },
    )
  })
})

describe('membership', () => {
  const arena = new Arena()
  const [a, one] = [arena.string('a'), arena.tuple([1])]

  test.each([
    [1, arena.set([a])],
    [a, arena.interval(1, 3)],
    [one, arena.set([arena.tuple([a])])],
    [arena.modelValue('A_1'), arena.set([1])],
    [1, arena.booleans],
    [a, naturals(arena)],
    [1, strings(arena)],
    [1, sequences(arena, arena.emptySet)],
    [arena.modelValue('r1'), powerset(arena, arena.emptySet)],
    [a, interval(arena, 1, 1_000_000)],
    [arena.set([1]), powerset(arena, arena.set([a]))],
  ])('of what TLC does not compare is refused: %#', (value, set) => {
    expect(() => member(value, set)).toThrow('attempted to')
  })

  test.each([1, a, one, arena.modelValue('r1')])('in what is not a set is refused: %#', (set) => {
    expect(() => member(1, set)).toThrow('which is not a set')
  })

  test.each([
    [1, arena.emptySet],
    [arena.modelValue('A_1'), arena.emptySet],
    [arena.modelValue('r1'), arena.set([1])],
    [arena.modelValue('r1'), naturals(arena)],
    [arena.modelValue('r1'), interval(arena, 1, 1_000_000)],
    [one, arena.set([arena.tuple([a, 1])])],
    [-1, naturals(arena)],
    [1.5e9, interval(arena, 1, 1_000_000)],
  ])('is false where kinds cannot clash: %#', (value, set) => {
    expect(member(value, set)).toBe(false)
  })

  test('finds every number of a set of integers and model values, and no other', () => {
    for (const elements of [
      [1, 2, 3],
      [1, 3, 9],
      [arena.modelValue('r1'), 4, 5],
    ]) {
      const set = arena.set(elements.slice())
      for (let value = -1; value < 12; value++) expect(member(value, set)).toBe(elements.includes(value))
    }
  })
})

describe('sets that are not listed', () => {
  const arena = new Arena()
  const nat = naturals(arena)

  test('combine without being listed', () => {
    const set = difference(arena, union(arena, nat, arena.set([-1])), arena.set([0]))
    expect([-2, -1, 0, 1].map((value) => member(value, set))).toEqual([false, true, false, true])
    expect(printValue(set)).toBe('(Nat \\cup {-1}) \\ {0}')
    expect(intersection(arena, arena.set([-1, 1]), nat)).toBe(arena.set([1]))
    expect(intersection(arena, nat, arena.set([-1, 1]))).toBe(arena.set([1]))
    expect(difference(arena, arena.set([-1, 1]), nat)).toBe(arena.set([-1]))
    expect(isSubset(arena.set([1]), nat)).toBe(true)
  })

  test('may stand among the elements of a set, and in a UNION', () => {
    const sets = setOf(arena, [nat, arena.set([-1])])
    expect(member(nat, sets)).toBe(true)
    expect(() => member(arena.set([-1]), sets)).toThrow('attempted to compare the infinite set Nat')
    expect(member(nat, setOf(arena, [nat, integers(arena)]))).toBe(true)
    expect(cardinality(setOf(arena, [nat, integers(arena), nat]))).toBe(2)
    expect(member(-1, unionOf(arena, sets))).toBe(true)
    expect(member(-2, unionOf(arena, sets))).toBe(false)
  })

  test.each([
    ['enumerated', () => asSet(nat), 'attempted to enumerate the infinite set Nat'],
    ['counted', () => cardinality(nat), 'attempted to count the elements of the infinite set Nat'],
    ['a subset of something', () => isSubset(nat, nat), undefined],
    ['a subset of something else', () => isSubset(nat, integers(arena)), 'attempted to enumerate the infinite set Nat'],
    ['too many to count', () => cardinality(powerset(arena, arena.interval(1, 31))), 'does not fit into 32 bits'],
    ['too many to list', () => asSet(powerset(arena, arena.interval(1, 21))), 'more than 1048576 elements'],
  ])('are refused when they have to be %s', (_what, does, message) => {
    if (message === undefined) expect(does()).toBe(true)
    else expect(does).toThrow(message)
  })

  test('know whether they are finite', () => {
    expect(isFiniteSet(nat)).toBe(false)
    expect(isFiniteSet(powerset(arena, nat))).toBe(false)
    expect(isFiniteSet(powerset(arena, arena.interval(1, 100)))).toBe(true)
    expect(isFiniteSet(intersection(arena, nat, arena.set([1])))).toBe(true)
    expect(isFiniteSet(union(arena, nat, arena.set([1])))).toBe(false)
    expect(() => isFiniteSet(1)).toThrow('it is not a set')
  })
})

describe('large sets', () => {
  const arena = new Arena()
  const starts = Array.from({ length: 400 }, (_, at) => at)
  /** Not listed by itself. */
  const from = (low: number): Value => interval(arena, low, low + 5000)
  const count = (set: Value) => cardinality(set)

  test('any number of sets that are not listed is united, cut and taken away', () => {
    expect(count(starts.reduce((set, low) => union(arena, set, from(low)), from(0)))).toBe(5400)
    expect(count(unionOfAll(arena, starts.map(from)))).toBe(5400)
    const base: Value = interval(arena, 1, 70_000)
    const few = starts.slice(0, 66)
    expect(count(few.reduce((set, low) => difference(arena, set, from(low)), base))).toBe(70_000 - 5065)
    const cut = few.reduce((set, low) => intersection(arena, set, interval(arena, low, 60_000)), base)
    expect(count(cut)).toBe(60_000 - 64)
  })

  test('without elements are equal, whatever they were made of', () => {
    const [none, large] = [arena.emptySet, from(1)]
    const sets = [
      product(arena, [none, large]),
      product(arena, [large, none]),
      product(arena, [large, large, none]),
      functionSet(arena, large, none),
      functionSet(arena, from(7), none),
      recordSet(arena, arena.shape(['a', 'b']), [large, none]),
      recordSet(arena, arena.shape(['c']), [none]),
      none,
    ]
    for (const set of sets) for (const other of sets) expect(equal(set, other)).toBe(true)
    expect(equal(product(arena, [none, large]), product(arena, [large, large]))).toBe(false)
    expect(equal(functionSet(arena, large, large), functionSet(arena, large, none))).toBe(false)
  })

  test('what stands in many sets is listed once', () => {
    const parts = starts.slice(0, 300).map((low) => asSet(interval(arena, low, low + 999)))
    expect(count(unionOfAll(arena, parts))).toBe(1_299)
  })

  test('nobody lists more than a million elements', () => {
    const parts = Array.from({ length: 21 }, (_, at) => asSet(interval(arena, at * 100_000, at * 100_000 + 99_999)))
    expect(() => unionOfAll(arena, parts)).toThrow('attempted to list a set of more than 1048576 elements')
  })
})
