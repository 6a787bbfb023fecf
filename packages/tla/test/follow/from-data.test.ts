import { describe, expect, test } from 'vitest'
import { fromData } from '../../src/follow/from-data.ts'
import { printValue } from '../../src/values/print.ts'
import { handMade } from './hand-made.ts'

const machine = handMade({ initial: [{ x: 7 }], modelValues: ['r1'], actions: {} })
const read = (data: unknown) => printValue(fromData(machine, data, 'parameter r of Act'))

describe('plain data as values', () => {
  test('numbers, truth values, sequences and records are themselves', () => {
    expect([3, -0, true, [1, [2]], { b: 1, a: 'x' }, {}].map(read)).toEqual([
      '3',
      '0',
      'TRUE',
      '<<1, <<2>>>>',
      '[a |-> "x", b |-> 1]',
      '<<>>',
    ])
  })

  test('a text is the model value of its name, or else a string', () => {
    expect([read('r1'), read('r2'), read({ $string: 'r1' })]).toEqual(['r1', '"r2"', '"r1"'])
  })

  test('sets, functions and expressions are written with a word', () => {
    expect(read({ $set: [2, 1, 2] })).toBe('{1, 2}')
    expect(read({ $function: [['r1', 1]] })).toBe('(r1 :> 1)')
    expect(
      read({
        $function: [
          [2, 'b'],
          [1, 'a'],
        ],
      }),
    ).toBe('<<"a", "b">>')
    machine.initial(() => {})
    expect(read({ $tla: 'x' })).toBe('7')
    expect(read([{ $set: [{ $tla: 'x' }] }])).toBe('<<{7}>>')
  })

  test.each([
    [null, 'expected a value, found null: name a model value'],
    [1.5, '1.5 is not a 32-bit integer'],
    [2 ** 31, '2147483648 is not a 32-bit integer'],
    [undefined, 'expected a value, found undefined'],
    [{ $sets: [] }, "unknown key '$sets': use $set, $function, $string or $tla"],
    [{ $set: 1 }, '$set must be an array'],
    [{ $set: [], more: 1 }, "'$set' must be the only key: remove 'more'"],
    [
      {
        $function: [
          [1, 2],
          [1, 3],
        ],
      },
      '$function names an argument twice',
    ],
    [{ $function: [1] }, '$function must be an array of pairs'],
  ])('%j is refused', (data, problem) => {
    expect(() => read(data)).toThrow(`parameter r of Act: ${problem}`)
  })
})
