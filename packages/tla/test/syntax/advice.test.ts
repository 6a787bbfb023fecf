import { expect, test } from 'vitest'
import { adviceAt, MISTAKES } from '../../src/syntax/advice.ts'
import { parseExpression, parseModule } from '../../src/syntax/parse.ts'
import { refusal } from './show.ts'

/**
 * A mistake as people make it: an expression, or the lines of a module that contains it; and what
 * the advice says.
 */
const EXAMPLES: readonly (readonly [string | readonly string[], string])[] = [
  [['A == 1;', 'B == 2'], 'delete it'],
  ['p ? a : b', '`IF p THEN a ELSE b`'],
  ['“a”', 'type straight quotes'],
  ['x’ = 1', 'type straight quotes'],
  ['a\u00a0= b', 'type a plain space'],
  ['a \u2212 b', 'type a plain space, `-` or `=`'],
  ["x = 'abc'", 'write strings in double quotes'],
  [['// text'], '`\\* …` or `(* … *)`'],
  [['/* text */', 'A == 1'], '`\\* …` or `(* … *)`'],
  [['A == x = 0 # the first one'], '`\\* …` or `(* … *)`'],
  ['a != b', '`/=` or `#`'],
  ['f[1] != b', '`/=` or `#`'],
  ['a <> b', '`/=` or `#`'],
  ['a \\neq b', '`/=` or `#`'],
  [['A == UNCHANGED x, y'], '`UNCHANGED <<x, y>>`'],
  ['UNCHANGED x y', '`UNCHANGED <<x, y>>`'],
  ['[f EXCEPT [1] = 2]', '`[f EXCEPT ![a] = e]`'],
  ['[f EXCEPT ![1] := 2]', '`[f EXCEPT ![a] = e]`'],
  ['f EXCEPT ![1] = 2', '`[f EXCEPT ![a] = e]`'],
  [['A == [][Next]vars'], '`[Next]_vars`'],
  [['A == IF x == 1 THEN 2 ELSE 3'], 'compare with `=`'],
  [['A == f[1] == 2'], 'compare with `=`'],
  ['x = = 1', 'compare with `=`'],
  [['VARIABLES x,', 'Init == TRUE'], 'remove the comma'],
  [['CONSTANT A,', 'VARIABLE x'], 'remove the comma'],
  ['{1, 2, }', 'remove the comma'],
  [['VARIABLE x = 0'], '`Init == x = 0`'],
  [['VARIABLE x \\in Nat'], '`TypeOK == x \\in S`'],
  [['CONSTANT N = 3'], '`CONSTANT N = 3` in the configuration'],
  [['A = 1'], 'define with `Name == …`'],
  ['LET x = 1 IN x', 'define with `Name == …`'],
  ['p and q', '`/\\` for "and"'],
  ['p or q', '`\\/` for "or"'],
  ['x in S', '`x \\in S` or `x \\notin S`'],
  ['x not in S', '`x \\in S` or `x \\notin S`'],
  ['!p', '`~` for "not"'],
  ['not p', '`~` for "not"'],
  ['x += 1', "`x' = e`"],
  ['x++', "`x' = e`"],
  ['x mod 2', '`a % b` for the remainder'],
  ['x \\le y', '`<=` (or `\\leq`)'],
  ['S \\setminus T', '`S \\ T` for a difference'],
  ['CASE p : 1 [] OTHER -> 2', '`CASE p -> a [] q -> b [] OTHER -> c`'],
  ['CASE p -> 1 OTHER -> 2', '`CASE p -> a [] q -> b [] OTHER -> c`'],
  ['["a" |-> 1]', '`[field |-> e]`'],
  ['{"a": 1}', '`[field |-> e]`'],
  ['[a -> S, b -> T]', '`[field : S]`'],
  ['[x \\in S -> T]', 'the set of functions as `[S -> T]`'],
  ['{x : x > 1}', '`{x \\in S : P}`'],
  ['[x \\in S : P]', '`{x \\in S : P}`'],
  [['CONSTANTS', '  A', '  B', 'C == 1'], 'separate declared names with commas'],
  [['VARIABLE x y'], 'separate declared names with commas'],
  ['[1, 2]', '`<<a, b>>`'],
  ['(a, b)', '`<<a, b>>`'],
  ['<1, 2>', '`<<a, b>>`'],
  ['[1..3]', 'an interval as `a..b`'],
  ['f()', 'leave the parentheses out'],
  [['F(n: Nat) == 1'], 'a parameter has no type'],
  [['F(n \\in S) == 1'], 'a parameter has no type'],
  [['def F(y) == 1'], 'start a definition with its name'],
  ['IF p THEN q elif r', '`ELSE IF`'],
  ['if p then q else r', 'write keywords in capitals'],
  [['variables x'], 'write keywords in capitals'],
  ['for i \\in S', 'TLA+ has no statements'],
  [['import M'], '`EXTENDS A, B`'],
  [['INVARIANT A'], 'move this to the configuration'],
]

test.each(EXAMPLES)('%j', (mistake, advice) => {
  const text = typeof mistake === 'string' ? mistake : ['---- MODULE Test ----', ...mistake, '===='].join('\n')
  expect(refusal(text).split('\n')[0]).toContain(advice)
})

/** Names that parse, and that no module defines: the end of the message that they are unknown. */
const NAMES: readonly (readonly [string, string])[] = [
  ['a && b', '`/\\` for "and"'],
  ['a || b', '`\\/` for "or"'],
  ['/\\ x := 1', "`x' = e`"],
  ['s ++ t', '`s \\o t`'],
  ['4 / 2', '`a \\div b` for the quotient'],
  ['True', 'write keywords in capitals'],
  ['NULL', 'declare a constant'],
  ['length', '`Len(s)`'],
  ['[][Next]_vars', '`vars == <<x, y>>`'],
  ['[]Next_vars', '`[Next]_vars`'],
  ['S \\setminus', '`S \\ T` for a difference'],
]

test.each(NAMES)('an unknown name: %s', (text, advice) => {
  const name = /&&|\|\||:=|\+\+|(?<= )\/|True|NULL|length|Next_vars|vars|setminus/.exec(text)!
  const source = { path: 'Test.tla', text }
  const at = { source, line: 1, column: name.index + 1, endLine: 1, endColumn: name.index + name[0].length }
  expect(adviceAt(at)).toContain(advice)
})

test('each mistake of the table has an example, and there are forty', () => {
  const given = [...EXAMPLES, ...NAMES].map(([, advice]) => advice)
  expect(MISTAKES.filter(([, advice]) => !given.some((part) => advice.includes(part)))).toEqual([])
  expect(MISTAKES).toHaveLength(40)
})

test('no advice where no mistake is known', () => {
  expect(refusal('S \\T )').split('\n')[0]).toMatch(/expected an operator or the end of the expression, found `\)`$/)
  expect(refusal('a b').split('\n')[0]).toMatch(/found `b`$/)
  expect(refusal('---- MODULE Test ----\na == 1 +\nb == 2\n====').split('\n')[0]).toMatch(/found `b`$/)
})

test('what is right is never advised against', () => {
  const source = (text: string) => ({ path: 'Test.tla', text })
  expect(() => parseExpression(source('x # y /\\ [f EXCEPT ![1] = 2] = [a |-> 1]'))).not.toThrow()
  expect(() => parseModule(source('---- MODULE Test ----\nnot == 1\nmod == not\n===='))).not.toThrow()
})
