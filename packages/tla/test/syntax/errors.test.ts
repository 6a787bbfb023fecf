import { expect, test } from 'vitest'
import { refusal } from './show.ts'

const inModule = (...lines: string[]): string => refusal(['---- MODULE Test ----', ...lines, '===='].join('\n'))

test('what was expected, what was found, and where', () => {
  expect(refusal("x' = ()")).toBe(
    ['Test.tla:1:7: expected an expression, found `)`', "    1 | x' = ()", '      |       ^'].join('\n'),
  )
})

test.each([
  ['a +', '1:4: expected an expression, found the end of the text'],
  [
    'a = b = c',
    '1:7: `=` cannot follow the `=` of 1:3 without parentheses: it does not associate; write a chain as `a = b /\\ b = c`',
  ],
  [
    'a /\\ b \\/ c',
    '1:8: `\\/` cannot follow the `/\\` of 1:3 without parentheses: neither binds more tightly; write `(a /\\ b) \\/ c`, or `a /\\ (b \\/ c)`',
  ],
  ['(a', '1:3: expected `)` to close `(` of 1:1, found the end of the text'],
  ['f[a, b', '1:7: expected `,` or `]` to close `[` of 1:2, found the end of the text'],
  ['<<a, b', '1:7: expected `,` or `>>` to close `<<` of 1:1, found the end of the text'],
  ['IF a THEN b', '1:12: expected `ELSE` of the `IF` of 1:1, found the end of the text'],
  ['LET a == 1', '1:11: expected a definition or `IN` of the `LET` of 1:1, found the end of the text'],
  [
    '[a EXCEPT b = 1]',
    '1:11: expected `!` and an index or a field, found `b`: write `[f EXCEPT ![a] = e]`, with the brackets and the `!`',
  ],
  ['[a EXCEPT ! = 1]', '1:11: expected `[` or `.` after `!`'],
  ['\\A x \\in S x', '1:12: expected `,` or `:`, found `x`'],
  ['CASE a b', '1:8: expected `->` after the condition of a `CASE`, found `b`'],
  ['\\E THEN : x', '1:4: expected the name of a bound variable, found the reserved word `THEN`: choose another name'],
  ['WF_(A)', '1:7: expected `(` and the action of the `WF_`, found the end of the text'],
  ['a b', '1:3: expected an operator or the end of the expression, found `b`'],
  ['"abc', '1:1: the string that starts here is not closed: expected `"` on the same line'],
  ['"a\\qb"', '1:3: `\\q` is not an escape sequence: expected \\n, \\t, \\r, \\f, \\\\ or \\"'],
  [
    'a (* b (* c *)',
    '1:3: the comment that starts here is not closed: expected a `*)` for each `(*`, since comments nest',
  ],
  ['a \u2603 b', '1:3: the character `\u2603` (U+2603) is not part of TLA+'],
  ['a \f b', '1:3: the character (U+000C) is not part of TLA+'],
])('%j', (text, message) => {
  expect(refusal(text).split('\n')[0]).toBe(`Test.tla:${message}`)
})

test.each([
  [['a = 1'], '2:3: expected `==` in the definition of `a`, found `=`: define with `Name == …`; `=` compares'],
  [['a == 1 +', 'b == 2'], '3:1: expected an expression before the next definition, found `b`'],
  [
    ['a == 1 b'],
    '2:8: `b` neither continues the expression before it nor starts a definition: write an operator before it or `==` after it',
  ],
  [['a == b "c"'], '2:8: the string `"c"` cannot follow the expression before it: write an operator between them'],
  [
    ['a == x = 1 && y = 2'],
    '2:17: `=` cannot follow the `=` of 2:8 without parentheses: write `/\\` for "and", not `&&`',
  ],
  [['a == 1)'], '2:7: `)` closes nothing that is open'],
  [['VARIABLE IF'], '2:10: expected the name of a variable, found the reserved word `IF`: choose another name'],
  [['CONSTANT F(x)'], '2:12: expected `_` for each parameter of the declared operator, found `x`'],
  [['F(x, ) == 1'], '2:6: expected the name of a parameter, found `)`: remove the comma after the last item'],
  [
    ['a == 1', 'EXTENDS Naturals'],
    '3:1: `EXTENDS` must follow the header of the module: move it there, with all modules in one list: `EXTENDS A, B`',
  ],
  [['I == INSTANCE M WITH x'], '3:1: expected `<-`, found `====`, the end of the module'],
  [['---- MODULE Inner ----', 'a == 1'], '4:5: the module `Test` is not closed: expected `====` at its end'],
])('%j', (lines, message) => {
  expect(inModule(...lines).split('\n')[0]).toBe(`Test.tla:${message}`)
})

test('of a very long line, what stands around the place', () => {
  const [, line, carets] = refusal(`${'a + '.repeat(100)}) ${'+ b'.repeat(100)}`).split('\n')
  expect(line).toHaveLength(8 + 1 + 160 + 1)
  expect(line!.indexOf(')')).toBe(carets!.indexOf('^'))
  expect(line).toMatch(/\| ….*…$/)
})

test('a text without a module, and a module without a name', () => {
  for (const text of ['MODULE Test', 'MODULE of text\n---- module Test ----\n====', '--- MODULE Test ---']) {
    expect(refusal(text)).toContain(
      '1:1: the text has no module: start it with `---- MODULE Name ----`, with four or more `-` on each side',
    )
  }
  expect(refusal('---- MODULE ----')).toContain('expected the name of the module, found `----`')
})

test.each(['\n', '\r\n', '\r'])('lines that end in %j are counted once', (end) => {
  expect(refusal(`1 +${end}(* a${end}b *)${end}  \u2603`)).toBe(
    ['Test.tla:4:3: the character `\u2603` (U+2603) is not part of TLA+', '    4 |   \u2603', '      |   ^'].join('\n'),
  )
})
