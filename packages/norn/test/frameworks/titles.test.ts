/** Titles of tests from tables, as their runners fill them in. */
import { expect, it } from 'vitest'
import { rowTitle } from '../../src/frameworks/titles.ts'

it('fills in the values of a row, one behind the other', () => {
  expect(rowTitle('%s is %d, %j (%#, %$, 100 %%, %s)', ['a', 2, { b: 1 }], 3)).toBe('a is 2, {"b":1} (3, 4, 100 %, %s)')
  expect(rowTitle('%p and %p', ['a "b"', [1]], 0)).toBe('"a \\"b\\"" and [ 1 ]')
})

it('fills in fields by their names: in jest texts as they are, in vitest cut, and once in quotes', () => {
  const row = [{ name: 'a', of: { size: 2 } }]
  expect(rowTitle('$name of $of.size, $none, $#', row, 1)).toBe('a of 2, $none, 1')
  expect(rowTitle('$name of $of.size, $none, $#', row, 1, 'in quotes')).toBe("'a' of 2, $none, 1")
  expect(rowTitle('$name', [{ name: 'x'.repeat(50) }], 0, 'in quotes')).toBe(`'${'x'.repeat(37)}…'`)
})

it.each([{ name: 'short' }, { name: 'y'.repeat(50) }])('$name, as this runner has it', ({ name }) => {
  expect(expect.getState().currentTestName).toBe(`${rowTitle('$name', [{ name }], 0, 'cut')}, as this runner has it`)
})
