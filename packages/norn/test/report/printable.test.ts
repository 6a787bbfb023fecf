import { expect, test } from 'vitest'
import { printableLine, printableLines } from '../../src/report/printable.ts'

test('nothing that a program throws or prints can steer the terminal', () => {
  expect(printableLines('\u001b[31mred\u001b[2J\u0007\0 \u202ebidi \u009bx')).toEqual([
    'red\\u0007\\u0000 \\u202ebidi \\u009bx',
  ])
  expect(printableLines('a\r\nb\tc\rd')).toEqual(['a', 'b\tc\\rd'])
  expect(printableLine('a\nb\u001b[2J')).toBe('a\\nb\\u001b[2J')
})

test('nothing that a program throws or prints is a command to GitHub', () => {
  expect(printableLine('::error::x')).toBe('\\u003a:error::x')
  expect(printableLines('x\n  ::stop-commands::x ##[error]')).toEqual([
    'x',
    '  \\u003a:stop-commands::x #\\u0023[error]',
  ])
})

test('what is very long is cut, and says so', () => {
  expect(printableLine('x'.repeat(1e6))).toBe(`${'x'.repeat(2000)}… (998000 more characters)`)
  const lines = printableLines(Array.from({ length: 1000 }, (_, i) => `${i}`).join('\n'))
  expect(lines).toHaveLength(101)
  expect([lines[0], lines[50], lines[100]]).toEqual(['0', '… (900 lines)', '999'])
})
