/** Whatever is read, the parser ends with a tree or with a place: it never runs out of stack. */
import { expect, test } from 'vitest'
import { refusal } from './show.ts'

const around = (open: string, close: string, times: number): string => `${open.repeat(times)}a${close.repeat(times)}`

test.each([
  ['(', ')'],
  ['{', '}'],
  ['<<', '>>'],
  ['f(', ')'],
  ['f[', ']'],
  ['[x \\in S |-> ', ']'],
  ['[a EXCEPT ![1] = ', ']'],
  ['IF a THEN b ELSE ', ''],
  ['LET a == ', ' IN a'],
  ['\\A x : ', ''],
  ['CASE a -> ', ''],
  ['/\\ ', ''],
  ['l :: ', ''],
  ['F(LAMBDA x : ', ')'],
  ['WF_v(', ')'],
  ['[b]_', ''],
  ['<<b>>_', ''],
])('%j may be nested 400 deep; 10,000 deep is refused with a place', (open, close) => {
  expect(refusal(around(open, close, 400))).toBe('accepted')
  expect(refusal(around(open, close, 10_000))).toMatch(/^Test\.tla:1:\d+: this is nested more than 500 deep/)
})

test.each(['~', '- ', 'DOMAIN '])('%j may be repeated 1,000 times; 20,000 times is refused', (operator) => {
  expect(refusal(around(operator, '', 1000))).toBe('accepted')
  expect(refusal(around(operator, '', 20_000))).toContain('this expression is more than 1500 operators high')
})

test.each(["'", '[1]', '.b', ' + a', ' \\o a'])('%j may follow 1,000 times; 20,000 times is refused', (operator) => {
  expect(refusal(around('', operator, 1000))).toBe('accepted')
  expect(refusal(around('', operator, 20_000))).toContain('this expression is more than 1500 operators high')
})

test.each([' /\\ a', ' \\/ a', ' \\X a'])('a chain of %j is flat and may be long', (operator) => {
  expect(refusal(around('', operator, 10_000))).toBe('accepted')
})

test('long lines of one character are read in one go', () => {
  expect(refusal('_'.repeat(300_000))).toContain('1:1: expected an expression, found `_`')
  expect(refusal(`${'-'.repeat(300_000)}\n---- MODULE Test ----`)).toContain('the module `Test` is not closed')
})

test('height counts through all that is nested', () => {
  const chain = `(${around('', ' + a', 400)})`
  expect(refusal(chain)).toBe('accepted')
  const stacked = [1, 2, 3, 4].reduce((inner) => `(${inner}${' + a'.repeat(400)})`, 'a')
  expect(refusal(stacked)).toContain('this expression is more than 1500 operators high')
})

test('sequents and modules are nested within the same bound', () => {
  const module = (...lines: string[]): string => refusal(['---- MODULE Test ----', ...lines, '===='].join('\n'))
  expect(module(`THEOREM ${'ASSUME '.repeat(1000)}`)).toContain('this is nested more than 500 deep')
  expect(refusal('---- MODULE A ----\n'.repeat(1000))).toContain('this is nested more than 500 deep')
})
