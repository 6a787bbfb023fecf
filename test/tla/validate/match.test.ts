import { describe, expect, test } from 'vitest'
import { fromData } from '../../../src/tla/follow/from-data.ts'
import { mismatches } from '../../../src/tla/validate/match.ts'
import type { Canonical } from '../../../src/tla/values/value.ts'
import { handMade } from '../follow/hand-made.ts'

const machine = handMade({ initial: [{ x: 0 }], modelValues: ['n1', 'n2'], actions: {} })
const differ = (value: unknown, seen: unknown) =>
  mismatches(machine, fromData(machine, value, 'it') as Canonical, seen).map(
    ({ path, specification, log }) => `${path}: ${specification}, ${log}`,
  )

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
