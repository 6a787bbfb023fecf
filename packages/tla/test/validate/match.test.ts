import { describe, expect, test } from 'vitest'
import { fromData } from '../../src/follow/from-data.ts'
import { agrees, mismatches, partOf, stepText } from '../../src/validate/match.ts'
import type { Canonical } from '../../src/values/value.ts'
import { handMade } from '../follow/hand-made.ts'

const machine = handMade({ initial: [{ x: 0 }], modelValues: ['n1', 'n2'], actions: {} })
const made = (value: unknown) => fromData(machine, value, 'it') as Canonical
/** Where they differ; whether they agree says the same without texts. */
function differ(value: unknown, seen: unknown): readonly string[] {
  const found = mismatches(machine, made(value), seen)
  expect(agrees(machine, made(value), seen)).toBe(found.length === 0)
  return found.map(({ path, specification, log }) => `${path}: ${specification}, ${log}`)
}
const set = (...elements: readonly unknown[]) => ({ $set: elements })
const pairs = (...each: readonly (readonly [unknown, unknown])[]) => ({ $function: each })

describe('what a log saw of a value', () => {
  test.each([
    [3, 3],
    ['n1', 'n1'],
    [{ $string: 'a' }, 'a'],
    [
      [1, 2],
      [1, 2],
    ],
    [[1, 2], { '2': 2 }],
    [{ $set: [1, 2] }, [2, 1]],
    [
      {
        $set: [
          { a: 1, b: 1 },
          { a: 1, b: 2 },
        ],
      },
      [{ a: 1 }, { b: 1 }],
    ],
    [{ a: 1, b: [2] }, { b: [2] }],
    [
      {
        $function: [
          ['n1', 1],
          ['n2', 2],
        ],
      },
      { n2: 2 },
    ],
    [
      {
        $function: [
          [2, 'x'],
          [3, 'y'],
        ],
      },
      { '3': 'y' },
    ],
    [
      {
        $function: [
          [[1, 'n1'], 1],
          [[2, 'n1'], 2],
        ],
      },
      { '<<2, n1>>': 2 },
    ],
    [{ $set: [1] }, { $set: [1] }],
    [[], {}],
  ])('%j is seen as %j', (value, seen) => {
    expect(differ(value, seen)).toEqual([])
  })

  test.each([
    [3, 4, [': 3, 4']],
    [3, '3', [': 3, "3"']],
    ['n1', 'n2', [': n1, "n2"']],
    [[1, 2], [1, 3], ['[2]: 2, 3']],
    [[1, 2], [1], [': <<1, 2>>, [1]']],
    [
      [1, 2, 3, 4, 5, 6],
      [0, 0, 0, 0, 0, 0],
      ['[1]: 1, 0', '[2]: 2, 0', '[3]: 3, 0', '[4]: 4, 0'],
    ],
    [[1], { '2': 1 }, ['[2]: undefined, 1']],
    [{ $set: [1, 2] }, [1], [': {1, 2}, [1]']],
    [{ $set: [1, 2] }, [1, 1], [': {1, 2}, [1,1]']],
    [
      {
        $set: [
          { a: 1, b: 1 },
          { a: 2, b: 2 },
        ],
      },
      [{ a: 1 }, { b: 1 }],
      [': {[a |-> 1, b |-> 1], [a |-> 2, b |-> 2]}, [{"a":1},{"b":1}]'],
    ],
    [{ a: { b: 1 } }, { a: { b: 2, c: 3 } }, ['.a.b: 1, 2', '.a.c: undefined, 3']],
    [{ $function: [['n1', { t: 1 }]] }, { n1: { t: 2 } }, ['[n1].t: 1, 2']],
    [{ $set: [1] }, { $set: [2] }, [': {1}, {2}']],
    [3, null, [': 3, null']],
  ])('%j is not seen as %j', (value, seen, differences) => {
    expect(differ(value, seen)).toEqual(differences)
  })
})

describe('what a log saw of the kinds of values', () => {
  test.each([
    [true, true],
    [0, 0],
    [-3, -3],
    ['', ''],
    [set(), []],
    [[], []],
    [set('n1', 'n2'), ['n2', 'n1']],
    [set({ $string: 'a' }, 'n1'), ['n1', 'a']],
    [set(true), [true]],
    [set('n1', { $string: 'n1' }), ['n1', 'n1']],
    [set('n1', [1, 2]), ['n1', { 2: 2 }]],
    [
      set([1, 2], [3, 4]),
      [
        [3, 4],
        [1, 2],
      ],
    ],
    [set(set(1), set(1, 2)), [[2, 1], [1]]],
    [set({ a: 1 }, { a: 2 }, { a: 3 }), [{ a: 3 }, {}, { a: 1 }]],
    [pairs([true, 1], [false, 2]), { TRUE: 1, false: 2 }],
    [pairs([-1, 'x']), { '-1': 'x' }],
    [pairs(['n1', 1], [{ $string: 'a' }, 2]), { a: 2, n1: 1 }],
    [pairs(['n1', 1], [{ $string: 'a' }, 2]), { '"a"': 2 }],
    [pairs([set(1), 5]), { '{1}': 5 }],
    [{ 'a b': 1 }, { '"a b"': 1 }],
    [{ a: [{ b: 1 }] }, { a: { 1: { b: 1 } } }],
    [[1, 2, 3], { 1: 1, 3: 3 }],
    [{ a: 1 }, {}],
  ])('%j is seen as %j', (value, seen) => {
    expect(differ(value, seen)).toEqual([])
  })

  test.each([
    [true, 'TRUE', [': TRUE, "TRUE"']],
    [1, true, [': 1, true']],
    ['n1', 1, [': n1, 1']],
    ['n1', null, [': n1, null']],
    [3, [3], [': 3, [3]']],
    [3, { a: 3 }, [': 3, {"a":3}']],
    ['n1', ['n1'], [': n1, ["n1"]']],
    ['n1', { n1: 1 }, [': n1, {"n1":1}']],
    [{ $string: 'a' }, { 1: 'a' }, [': "a", {"1":"a"}']],
    [{ a: 1 }, [1], [': [a |-> 1], [1]']],
    [pairs(['n1', 1]), [1], [': (n1 :> 1), [1]']],
    [set(1), { 1: 1 }, [': {1}, {"1":1}']],
    [set(1), 1, [': {1}, 1']],
    [set(1, 2), ['1', 2], [': {1, 2}, ["1",2]']],
    [set(1, 2), [1, 2, 2], [': {1, 2}, [1,2,2]']],
    [set('n1', 'n2'), ['n1', 'n1'], [': {n1, n2}, ["n1","n1"]']],
    [set(1), [null], [': {1}, [null]']],
    [set('n1', { $string: 'n1' }), ['n1', 'x'], [': {n1, "n1"}, ["n1","x"]']],
    [set([1, 2]), [[2, 1]], [': {<<1, 2>>}, [[2,1]]']],
    [
      set({ a: 1, b: 1 }, { a: 1, b: 2 }),
      [{ b: 1 }, { b: 1 }],
      [': {[a |-> 1, b |-> 1], [a |-> 1, b |-> 2]}, [{"b":1},{"b":1}]'],
    ],
    [[1, 2], { '02': 2 }, ['[02]: undefined, 2']],
    [[1, 2], { '0': 1 }, ['[0]: undefined, 1']],
    [[1, 2], { a: 1 }, ['[a]: undefined, 1']],
    [
      [
        [1, 2],
        [3, 4],
      ],
      [
        [1, 0],
        [3, 0],
      ],
      ['[1][2]: 2, 0', '[2][2]: 4, 0'],
    ],
    [{ a: { b: [1] } }, { a: { b: [2] }, c: 1 }, ['.a.b[1]: 1, 2', '.c: undefined, 1']],
    [
      { a: 1, b: 2, c: 3, d: 4, e: 5 },
      { a: 0, b: 0, z: 0, c: 0, d: 0, e: 0 },
      ['.a: 1, 0', '.b: 2, 0', '.z: undefined, 0', '.c: 3, 0'],
    ],
    [
      { a: 1 },
      { z: 0, y: 0, x: 0, w: 0, v: 0 },
      ['.z: undefined, 0', '.y: undefined, 0', '.x: undefined, 0', '.w: undefined, 0'],
    ],
    [pairs(['n1', 1]), { $function: [['n1', 2]] }, [': (n1 :> 1), (n1 :> 2)']],
    [pairs(['n1', 1]), { '"n1"': 1 }, ['["n1"]: undefined, 1']],
    [pairs([1, 1], ['n1', 1]), { TRUE: 1 }, ['[TRUE]: undefined, 1']],
    [3, undefined, [': 3, undefined']],
    [{ a: 1 }, { a: undefined }, ['.a: 1, undefined']],
  ])('%j is not seen as %j', (value, seen, differences) => {
    expect(differ(value, seen)).toEqual(differences)
  })

  test('a value in the form of one is equal or not, whatever kinds they are', () => {
    expect(differ(3, { $string: 'a' })).toEqual([': 3, "a"'])
    expect(differ(set(1), { $string: 'a' })).toEqual([': {1}, "a"'])
    expect(differ('n1', { $set: [] })).toEqual([': n1, {}'])
  })

  test('a set of many parts is settled by going back on what was taken', () => {
    const elements = Array.from({ length: 30 }, (_, at) => ({ a: at, b: at % 2 }))
    const seen = [
      ...Array.from({ length: 15 }, () => ({ b: 0 })),
      ...elements.filter(({ b }) => b === 1).map(({ a }) => ({ a })),
    ]
    expect(differ(set(...elements), seen)).toEqual([])
    expect(differ(set(...elements), [...seen.slice(1), { b: 1 }])).toHaveLength(1)
  })

  test('a large set is compared at once', () => {
    const elements = Array.from({ length: 20_000 }, (_, at) => at)
    expect(differ(set(...elements), elements.toReversed())).toEqual([])
    expect(agrees(machine, made(set(...elements)), [...elements.slice(1), -1])).toBe(false)
  })
})

describe('a part of a value', () => {
  test.each([
    [[5, 6], '2', 6],
    [[5, 6], '3', undefined],
    [[5, 6], '-1', undefined],
    [[5, 6], '1.0', undefined],
    [{ a: 5 }, 'a', 5],
    [{ a: 5 }, '"a"', 5],
    [{ a: 5 }, 'b', undefined],
    [pairs([7, 5]), '7', 5],
    [pairs([7, 5]), '8', undefined],
    [pairs([true, 5]), 'true', 5],
    [pairs([[1, 2], 5]), '<<1, 2>>', 5],
    [pairs(['n1', 5]), 'n1', 5],
    [set(1), '1', undefined],
    [3, '3', undefined],
    ['n1', 'n1', undefined],
  ])('%j has at %j %j', (value, key, part) => {
    expect(partOf(made(value), key)).toBe(part)
  })

  test.each([
    [[5], '1', '[1]'],
    [{ a: 5 }, 'a', '.a'],
    [{ a: 5 }, '"a"', '.a'],
    [{ '1': 5 }, '1', '["1"]'],
    [{ '1a': 5 }, '1a', '.1a'],
    [{ 'a-b': 5 }, 'a-b', '["a-b"]'],
    [pairs(['n1', 5]), 'n1', '[n1]'],
    [3, 'a', '[a]'],
  ])('of %j at %j is %s', (value, key, text) => {
    expect(stepText(made(value), key)).toBe(text)
  })
})
