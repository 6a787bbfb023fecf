/**
 * Sets of elements that do not compare: as in TLC, an element may be found, and nothing else is
 * answered.
 */
import { expect, test } from 'vitest'
import { machineOf, STILL, still, valueIn } from './helper.ts'

const machine = machineOf(STILL, still('Kinds == {1, 2, "none"}'))
const value = (text: string) => valueIn(machine, text)

test('an element is found before what it cannot be compared with', () => {
  expect(value('1 \\in {1, "a"}')).toBe('TRUE')
  expect(value('2 \\in Kinds')).toBe('TRUE')
  expect(value('{1, 2} \\subseteq Kinds')).toBe('TRUE')
  expect(value('<<1, 2>> \\in [1..2 -> Kinds]')).toBe('TRUE')
  expect(value('[n |-> 1, k |-> 2] \\in [n : {1}, k : Kinds]')).toBe('TRUE')
  expect(value('<<2, 2, 1>> \\in Seq(Kinds)')).toBe('TRUE')
  expect(value('[v |-> 1] \\in {[v |-> 1], [v |-> "x"]}')).toBe('TRUE')
  expect(value('Kinds \\cap {1, 2}')).toBe('{1, 2}')
})

test('past an element that it cannot be compared with, a value is refused', () => {
  expect(value('"none" \\in Kinds')).toContain('attempted to compare the integer 1 with the string "none"')
  expect(value('3 \\in Kinds')).toContain('attempted to compare the string "none" with the integer 3')
})

test.each([
  'Cardinality(Kinds)',
  '\\A k \\in Kinds : TRUE',
  'CHOOSE k \\in Kinds : TRUE',
  'Kinds = {1, 2, "none"}',
  'Kinds = {}',
  'Kinds \\ {1}',
  '1 \\in Kinds \\cup {3}',
  '1 \\in {3} \\cup Kinds',
  '1 \\in {k \\in Kinds : TRUE}',
  '1 \\in UNION {Kinds, {1}}',
  '[k \\in Kinds |-> 0]',
])('%s cannot be listed, and says why', (text) => {
  expect(value(text)).toContain('attempted to compare the string "none" with the integer 2')
})

test('of a union, the set that is given element by element is asked first', () => {
  expect(value('"none" \\in Nat \\cup {"none"}')).toBe('TRUE')
  expect(value('<<"p", 1>> \\in Seq(STRING) \\cup {<<"p", 1>>}')).toBe('TRUE')
  expect(value('1 \\in Nat \\cup {"none"}')).toContain('attempted to compare the integer 1 with the string "none"')
})
