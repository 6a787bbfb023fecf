/** Functions applied by their names. The verdicts are SANY's. */
import { expect, test } from 'vitest'
import { refusal } from './modules-in-memory.ts'

test.each([
  ['two arguments for one', 'f[x \\in {1}] == x\nX == f[1, 2]'],
  ['three for two', 'f[x, y \\in {1}] == x\nX == f[1, 2, 3]'],
  ['a tuple that is bound counts as one', 'f[<<x, y>> \\in {<<1, 2>>}] == x\nX == f[1, 2]'],
  ['in a LET', 'X == LET f[x \\in {1}] == x IN f[1, 2]'],
  ['within parentheses', 'f[x \\in {1}] == x\nX == (f)[1, 2]'],
  ['declared RECURSIVE, within itself too', 'RECURSIVE f\nf[x \\in {1}] == f[x, x]'],
  ['of an instance', '---- MODULE Inner ----\nf[x \\in {1}] == x\n====\nI == INSTANCE Inner\nX == I!f[1, 2]'],
])('as many arguments as the definition binds: %s', (_, text) => {
  expect(refusal(text)).toMatch(/the function `f` takes [12] arguments? \(M\.tla:\d+:\d+\), found [23]/)
})

test.each([
  ['one argument, which may be a tuple', 'f[x, y \\in {1}] == x\nX == f[<<1, 1>>]'],
  ['one argument that is no tuple to be seen', 'f[x, y \\in {1}] == x\nX == f[1]'],
  ['one argument that is a longer tuple', 'f[x \\in {1}] == x\nX == f[<<1, 2>>]'],
  ['a function by another name', 'f[x \\in {1}] == x\ng == f\nX == g[1, 2]'],
  ['an operator that is a function', 'f == [x \\in {1} |-> x]\nX == f[1, 2]'],
  ['a function within its own definition', 'f[x \\in {1}] == f[x, x]'],
  ['a function that was changed', 'f[x \\in {1}] == x\nX == [f EXCEPT ![1] = 2][1, 2]'],
])('nothing is said of %s', (_, text) => {
  expect(refusal(text)).toBeUndefined()
})
