import { expect, test } from 'vitest'
import { refusal, shown } from './show.ts'

const lines = (...text: string[]): string => text.join('\n')

test('items stand in one column; a token right of it belongs to the item', () => {
  expect(shown(lines('/\\ a', '/\\ b', '/\\ c'))).toBe('(list /\\ a b c)')
  expect(shown(lines('/\\ a', '   + 1', '/\\ b'))).toBe('(list /\\ (+ a 1) b)')
  expect(shown(lines('x /\\ a', '  /\\ b'))).toBe('(/\\ x a b)')
  expect(shown(lines('~ /\\ a', '  /\\ b'))).toBe('(~ (list /\\ a b))')
})

test('lists nest', () => {
  const text = lines('/\\ \\/ a', '   \\/ /\\ b', '      /\\ c', '/\\ d')
  expect(shown(text)).toBe('(list /\\ (list \\/ a (list /\\ b c)) d)')
  expect(shown(lines('\\/ /\\ a', '   /\\ b', '\\/ c'))).toBe('(list \\/ (list /\\ a b) c)')
})

test('what stands at or left of the column ends the list and goes on with it as an operand', () => {
  expect(shown(lines('  /\\ a', '  /\\ b', '  => c'))).toBe('(=> (list /\\ a b) c)')
  expect(shown(lines('  \\/ a', '  \\/ b', '/\\ c'))).toBe('(/\\ (list \\/ a b) c)')
  expect(shown(lines('  \\/ a', '  /\\ b'))).toBe('(/\\ (a) b)')
})

test('a single bullet only groups', () => {
  expect(shown('/\\ a \\/ b')).toBe('((\\/ a b))')
})

test('within an item, a conjunction is an operator if it stands right of the column', () => {
  expect(shown(lines('/\\ a /\\ b', '/\\ c'))).toBe('(list /\\ (/\\ a b) c)')
  expect(shown(lines('/\\ a', '    /\\ b'))).toBe('((/\\ a b))')
  expect(shown(lines('/\\ a', '\\land b'))).toBe('(/\\ (a) b)')
})

test('lists inside of parentheses, of IF, of LET end with what is around them', () => {
  expect(shown(lines('(/\\ a', ' /\\ b) => c'))).toBe('(=> ((list /\\ a b)) c)')
  expect(shown(lines('IF /\\ a', '   /\\ b THEN /\\ c', '             /\\ d ELSE e'))).toBe(
    '(IF (list /\\ a b) (list /\\ c d) e)',
  )
  expect(shown(lines('LET p == /\\ a', '         /\\ b', '    q == c', 'IN  /\\ p', '    /\\ q'))).toBe(
    '(LET p == (list /\\ a b); q == c IN (list /\\ p q))',
  )
  expect(shown(lines('CASE a -> /\\ b', '          /\\ c', '  [] d -> e'))).toBe('(CASE a -> (list /\\ b c) [] d -> e)')
})

test('a tab reaches to the next column of 8', () => {
  expect(shown(lines('\t/\\ a', '        /\\ b \\/ c'))).toBe('(list /\\ a (\\/ b c))')
  expect(shown(lines('  \t/\\ a', '\t/\\ b'))).toBe('(list /\\ a b)')
})

test('brackets do not let an item out of its column', () => {
  expect(refusal(lines('/\\ f(a', ')', '/\\ b'))).toBe(
    lines(
      'Test.tla:2:1: expected `,` or `)` to close `(` of 1:5, found `)` at or left of the column of the list of `/\\` of 1:1: indent it further',
      '    2 | )',
      '      | ^',
    ),
  )
  expect(refusal(lines(' /\\ a = {1, 2', ' /\\ b = 3'))).toContain(
    'expected `,` or `}` to close `{` of 1:9, found `/\\`, which starts the next item of the list of `/\\` of 1:2',
  )
})

test('an item out of line is told as such', () => {
  expect(refusal(lines('/\\ a => b', ' /\\ c \\/ d'))).toContain(
    '`\\/` cannot follow the `/\\` of 2:2 without parentheses',
  )
  expect(refusal(lines('/\\ a \\/ b', ' /\\ c'))).toContain(
    'as an item of the list of 1:1, put it in the same column as the first',
  )
})

test('a list is the left side of a conjunction that stands left of it', () => {
  expect(shown(lines('  /\\ a', '  /\\ b', '/\\ c'))).toBe('(/\\ (list /\\ a b) c)')
})
