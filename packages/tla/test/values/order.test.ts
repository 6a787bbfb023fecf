import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Arena } from '../../src/values/arena.ts'
import { comparesWithin, sortOf, UNKNOWN } from '../../src/values/comparable.ts'
import { equal } from '../../src/values/equality.ts'
import { compare } from '../../src/values/order.ts'
import { keyOf, make, read, someOfOneType } from './naive.ts'

describe('the order of values of one type', () => {
  test('is total: equal values are one object, all others have an order that does not depend on the side', () => {
    fc.assert(
      fc.property(someOfOneType(2, 2), ([one, other]) => {
        const arena = new Arena()
        const [left, right] = [make(arena, one!), make(arena, other!)]
        const order = compare(left, right)
        expect(left === right).toBe(keyOf(one!) === keyOf(other!))
        expect(order === 0).toBe(left === right)
        expect(Math.sign(compare(right, left))).toBe(order === 0 ? 0 : -Math.sign(order))
        expect(equal(left, right)).toBe(order === 0)
      }),
    )
  })

  test('is transitive', () => {
    fc.assert(
      fc.property(someOfOneType(3, 3), (values) => {
        const arena = new Arena()
        const sorted = values.map((value) => make(arena, value)).sort(compare)
        expect(compare(sorted[0]!, sorted[2]!)).toBeLessThanOrEqual(0)
      }),
    )
  })

  test('depends on the values alone, not on which of them was made first', () => {
    fc.assert(
      fc.property(someOfOneType(2, 2), ([one, other]) => {
        const arena = new Arena()
        const [left, right] = [make(arena, one!), make(arena, other!)]
        const second = new Arena()
        const [rightAgain, leftAgain] = [make(second, other!), make(second, one!)]
        expect(Math.sign(compare(leftAgain, rightAgain))).toBe(Math.sign(compare(left, right)))
      }),
    )
  })
})

test('strings keep their order however many there are, and in whatever order they come', () => {
  const arena = new Arena()
  const numbers = Array.from({ length: 5000 }, (_, at) => (at * 2089) % 5000)
  const strings = numbers.map((number) => arena.string(`s${number}`))
  expect(strings.sort(compare).map(({ text }) => text)).toEqual(numbers.map((_, at) => `s${at}`))
})

test('values of one sort compare whatever they are, and with the elements of sets that know it', () => {
  // Of two types, so that what does not compare turns up as well.
  fc.assert(
    fc.property(someOfOneType(1, 4), someOfOneType(1, 4), (some, others) => {
      const arena = new Arena()
      const values = [...some, ...others].map((value) => make(arena, value))
      for (const left of values) {
        for (const right of values) {
          if (sortOf(left) !== UNKNOWN && sortOf(left) === sortOf(right))
            expect(() => compare(left, right)).not.toThrow()
          if (typeof right !== 'object' || right.kind !== 'set' || !comparesWithin(left, right)) continue
          for (const element of right.elements) expect(() => compare(left, element)).not.toThrow()
        }
      }
    }),
  )
})

/** Each row in order. */
const ORDERED: readonly (readonly [string, string, ...string[]])[] = [
  ['FALSE', 'TRUE'],
  ['-1', '0', '10'],
  ['"B"', '"a"', '"b"'],
  // Numbers at the end count as such.
  ['"r"', '"r0"', '"r2"', '"r02"', '"r10"', '"r1x"', '"s1"'],
  ['r2', 'r10', 's1'],
  ['{}', '{3}', '{1, 2}', '{1, 3}', '{1, 2, 3}'],
  ['<<>>', '<<9>>', '<<1, 2>>', '<<2, 1>>'],
  ['[a |-> 2]', '[b |-> 1]', '[a |-> 0, b |-> 0]', '[a |-> 0, b |-> 1]'],
  ['(2 :> 5)', '(3 :> 4)', '(2 :> 0 @@ 3 :> 9)', '(2 :> 1 @@ 3 :> 0)'],
  // Untyped model values come before all else; an empty function is shorter than any other.
  ['r1', 'r2', '0'],
  ['r1', '<<>>', '[a |-> 1]', '<<1, 2>>'],
]

test.each(ORDERED)('%s comes before %s', (...texts) => {
  const arena = new Arena()
  const values = texts.map((text) => make(arena, read(text)))
  for (let at = 1; at < values.length; at++) expect(compare(values[at - 1]!, values[at]!)).toBeLessThan(0)
  expect(values.toReversed().sort(compare)).toEqual(values)
})

/** As TLC has it; where it answers, the values are unequal. */
const COMPARED: readonly (readonly [string, string, 'refused' | 'unequal'])[] = [
  ['1', '"a"', 'refused'],
  ['TRUE', '1', 'refused'],
  ['{1}', '{"a"}', 'refused'],
  ['{1}', '{"a", "b"}', 'unequal'],
  ['{{1}}', '{{"a"}}', 'refused'],
  ['{}', '<<>>', 'refused'],
  ['{}', '{"a"}', 'unequal'],
  ['<<1>>', '<<"a">>', 'refused'],
  ['<<1>>', '<<"a", 1>>', 'unequal'],
  ['<<1, "a">>', '<<2, 1>>', 'unequal'],
  ['<<1, "a">>', '<<1, 1>>', 'refused'],
  ['[a |-> 1]', '[b |-> "x"]', 'unequal'],
  ['[a |-> 1]', '[a |-> "x"]', 'refused'],
  ['<<1, 2>>', '[a |-> 1]', 'unequal'],
  ['[a |-> 1]', '<<1, 2>>', 'refused'],
  ['[a |-> 1]', '<<>>', 'unequal'],
  ['<<1>>', '(2 :> 1)', 'unequal'],
  ['<<1>>', '(r1 :> 1)', 'refused'],
  ['(r1 :> 1)', '<<1>>', 'refused'],
  ['(r1 :> 1)', '(2 :> 1)', 'unequal'],
  ['(r1 :> 1)', '[a |-> 1]', 'unequal'],
  ['[a |-> 1]', '(r1 :> 1)', 'refused'],
  ['r1', '1', 'unequal'],
  ['r1', '{1}', 'unequal'],
  ['{r1}', '{1}', 'unequal'],
  ['A_1', 'A_2', 'unequal'],
  ['A_1', 'r1', 'unequal'],
  ['A_1', 'B_1', 'refused'],
  ['A_1', '1', 'refused'],
  ['{A_1}', '{1}', 'refused'],
]

test.each(COMPARED)('%s = %s is %s', (one, other, verdict) => {
  const arena = new Arena()
  const [left, right] = [make(arena, read(one)), make(arena, read(other))]
  if (verdict === 'refused') expect(() => equal(left, right)).toThrow('attempted to compare')
  else expect(equal(left, right)).toBe(false)
})

test.each([
  '{1, "a"}',
  '{<<1, 1>>, <<1, "a">>}',
  '{[a |-> 1], [a |-> "x"]}',
  '{{1}, {"a"}}',
  '{r1, 1, "a"}',
  '{A_1, 1}',
])('%s is not a set', (text) => {
  expect(() => make(new Arena(), read(text))).toThrow('attempted to compare')
})

test.each([
  '{<<1, 1>>, <<2, "a">>}',
  '{[a |-> 1], [b |-> "x"]}',
  '{<<1>>, <<"a", 1>>}',
  '{r1, 1, 2}',
  '{{1}, {"a", "b"}}',
])('%s is a set, as its elements differ before their types do', (text) => {
  expect(make(new Arena(), read(text))).toMatchObject({ kind: 'set' })
})
