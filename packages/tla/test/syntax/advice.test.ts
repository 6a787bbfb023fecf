import { expect, test } from 'vitest'
import { refusal } from './show.ts'

const first = (text: string): string => refusal(text).split('\n')[0]!.replace('Test.tla:', '')
const inModule = (...lines: string[]): string => first(['---- MODULE Test ----', ...lines, '===='].join('\n'))

test.each([
  ['x in S', '`IN` ends the definitions of a `LET`, and to be an element is written `\\in`'],
  ['p or q', '`or` is written `\\/`'],
  ['if p then q else r', '`IF` is written in capitals'],
  ['x \\le y', '`\\le` is written `<=` or `\\leq`'],
  ['x \\neq y', '`\\neq` is written `/=` or `#`'],
  ['\\sum x', 'there is no `\\sum`: a sum over a set is a RECURSIVE operator'],
  ['1 .. \\infty', 'there is no `\\infty`: no number is infinite'],
  ['s \\cat t', '`\\cat` is written `\\o`'],
  ['a \\frob b', 'there is no `\\frob`'],
  ['a ; b', '(U+003B) is no part of the language: nothing ends by a mark: leave it out'],
  ['p ? a : b', 'a choice is written `IF condition THEN a ELSE b`'],
  ['\u201ca\u201d', 'a string stands in straight quotes'],
  ['a\u00a0= b', 'it looks like a space and is none'],
])('words, marks and characters of other languages: %s', (text, advice) => {
  expect(first(text)).toContain(advice)
})

test.each([
  ['[1..3]', '1:6', 'an interval `a..b` alone'],
  ['[a, b]', '1:6', 'a tuple is written `<<a, b>>`'],
  ['[a[1], 2]', '1:2', 'a tuple is written `<<a, b>>`'],
  ['(a, b)', '1:3', 'a tuple is written `<<a, b>>`'],
  ['[x \\in S -> T]', '1:10', 'the set of functions from S to T `[S -> T]`, without a name'],
  ['[x \\in S : P]', '1:10', 'the elements of S for which P holds are `{x \\in S : P}`'],
  ['[x \\in S]_v', '1:9', 'needs parentheses: `[(x \\in S)]_v`'],
  ['[x \\in S EXCEPT ![1] = 2]', '1:10', 'without a bound: `[f EXCEPT ![a] = e]`'],
  ['[x \\in S |-> f EXCEPT ![1] = 2]', '1:16', 'an `EXCEPT` has square brackets of its own'],
  ['["a" |-> 1]', '1:2', 'the fields of a record are names, without quotes: `[a |-> …]`'],
  ['[a -> S, b -> T]', '1:8', 'the set of records `[field : S, other : T]`'],
  ['[a + 1 |-> b]', '1:2', 'with the one argument `a` it is `a :> e`, of module TLC'],
  ['{a |-> 1}', '1:4', 'a record is written `[field |-> e]`'],
  ['{a : x \\in S : P}', '1:14', 'there is one `:` only'],
  ['{a : x \\in S, y # x}', '1:17', 'a condition goes into the set, as in `{e : x \\in {y \\in S : P}}`'],
  ['<<a : x \\in S>>', '1:5', '`[i \\in 1..n |-> e]`'],
  ['\\A x \\subseteq S : P', '1:6', '`x \\in SUBSET S`'],
  ["\\E x' \\in S : P", '1:5', 'what is bound is a new name, without a prime'],
  ['\\E (x, y) \\in S : P', '1:4', 'the parts of a tuple are bound by `<<x, y>> \\in S`'],
  ['\\E! x \\in S : P', '1:3', 'there is no `\\E!`'],
  ['\\A x \\in S, x # y : P', '1:15', 'first comes the set, `x \\in S`; a condition follows after the `:`'],
  ['CASE p : 1 [] OTHER -> 2', '1:8', 'an arm of a `CASE` is `condition -> value`'],
  ['CASE p -> 1 OTHER -> 2', '1:13', 'expected an operator or the end of the expression'],
  ['IF p THEN q END', '1:13', 'neither `IF` nor `LET` nor `CASE` has a word at its end'],
  ['LET a == 1, b == 2 IN a', '1:11', 'the definitions of a `LET` follow one another without a mark'],
  ['LET a \\in S IN a', '1:7', '`LET` defines; some element of a set is taken by `\\E x \\in S : …`'],
  ['LET <<a, b>> == c IN a', '1:5', 'a definition has one name'],
  ['/\\ LET a == 1\n/\\ a', '2:1', 'what the definitions are for stands after `IN`'],
  ['/\\ IF a THEN b\n/\\ c', '2:1', 'an `IF` always has both'],
  ['UNCHANGED *', '1:11', 'name what does not change'],
  ['[a |-> 1, b -> 2]', '1:13', 'each field of a record is written `field |-> e`'],
  ['[a : S, b |-> T]', '1:11', 'each field of a set of records is written `field : S`'],
  ['{a : 1}', '1:6', 'a record is written `[field |-> e]`'],
  ['<1, 2>', '1:1', 'a tuple is written `<<a, b>>`'],
  ["'a'", '1:1', 'a string stands in double quotes'],
  ['x += 1', '1:4', "the next value of a variable is given by `x' = x + e`"],
  ['x++', '1:4', "the next value of a variable is given by `x' = x + 1`"],
  ['{x : x > 1}', '1:8', 'a set by a condition is taken from another, `{x \\in S : P}`'],
  ['f()', '1:3', 'what takes no arguments has no parentheses'],
  ['LAMBDA x : x', '1:1', 'a `LAMBDA` can be an argument only'],
  ['t.1', '1:3', 'an item of a tuple is taken by `t[1]`'],
  ['[f EXCEPT [1] = 2]', '1:11', 'it is written `![a] = e`'],
  ['[f EXCEPT !1 = 2]', '1:12', 'it is written `![a] = e`'],
  ['[f EXCEPT ![1] == 2]', '1:16', 'what is updated gets its value by `=`'],
  ['[Next]x', '1:6', 'an action has its subscript after a `_`: `[A]_v`'],
  ['{1, 2, }', '1:8', 'no comma stands after the last item'],
  ["LET a == 1\n x' = a", '2:3', 'the definitions of a `LET` end with `IN`'],
  ['<<a, _>>', '1:6', 'nothing stands for any value'],
  ['a != b', '1:6', 'that two values differ is written `/=` or `#`'],
  ['f[1] != b', '1:6', 'that two values differ is written `/=` or `#`'],
  ['{1, 2, ..., 9}', '1:8', 'nothing may be left out'],
  ['1..2 \\X 1..3', '1:10', 'put each interval in parentheses'],
  ['a <= b <= c', '1:8', 'a chain is written `a <= b /\\ b <= c`'],
  ['a => b => c', '1:8', 'write `(a => b) => c`, or `a => (b => c)`'],
  ['a % b + c', '1:7', 'write `(a % b) + c`, or `a % (b + c)`'],
  ['UNCHANGED a \\ b', '1:13', 'put what `UNCHANGED` applies to in parentheses'],
])('forms that are written otherwise: %s', (text, place, advice) => {
  expect(first(text)).toContain(advice)
  expect(first(text).startsWith(`${place}: `)).toBe(true)
})

test.each([
  [['CONSTANTS', '  A', '  B'], '4:3', '`B` follows the declaration of `A` without a comma'],
  [['CONSTANT F(_) G'], '2:15', '`G` follows the declaration of `F` without a comma'],
  [['CONSTANTS', '  A', '  B', 'C == 1'], '4:3', '`B` follows the declaration of `A` without a comma'],
  [['VARIABLE x y'], '2:12', '`y` follows the declaration of `x` without a comma'],
  [['CONSTANT N = 3'], '2:12', 'a constant gets its value in the configuration (`CONSTANT N = …`)'],
  [['CONSTANT N == 3'], '2:12', 'a definition is written without `CONSTANT`'],
  [['CONSTANTS A,', 'B == 3'], '2:12', 'expected no comma before the definition of `B` of 3:1'],
  [['VARIABLES x,', 'F(a) == 3'], '2:12', 'expected no comma before the definition of `F` of 3:1'],
  [['VARIABLES', 'Init == TRUE'], '3:1', 'expected names after the `VARIABLE` of 2:1, found the definition of `Init`'],
  [['VARIABLE x = 0'], '2:12', 'as in `Init == x = …`'],
  [['VARIABLE x \\in Nat'], '2:12', 'TLA+ declares no types'],
  [['CONSTANT N : Int'], '2:12', 'is stated by `ASSUME N \\in …`'],
  [['variables x'], '2:11', '`VARIABLES` is written in capitals'],
  [['x \\in {1}'], '2:3', 'what is known of a constant is stated by `ASSUME`'],
  [['A = 1'], '2:3', '`=` compares; a definition is written `Name == …`'],
  [['A == /\\ B == 1'], '2:9', '`==` defines; to compare is written `=`'],
  [['INVARIANT A'], '2:11', '`INVARIANT` belongs in the configuration'],
  [['// text'], '2:1', '`//` begins no comment: write `\\* …`'],
  [['A == x = 0 # the first one'], '2:12', '`#` begins no comment'],
  [['VARIABLE x', 'def A(y) == x'], '3:5', 'a definition has no word before it'],
  [['A == 1', '* and so on'], '3:7', '`*` begins no comment'],
  [['-- text'], '2:1', '`--` begins no comment'],
  [['--algorithm A {', '}'], '2:1', 'an algorithm of PlusCal stands in a comment'],
  [['A == 1', 'some words of text'], '3:6', 'this reads like a comment'],
  [['A == /\\ 1', '     LET b == 2 IN b'], '3:6', 'an item of a list of `/\\` or `\\/` begins with the mark'],
  [['A == RECURSIVE B(_)'], '2:6', '`RECURSIVE` stands before the definition that it announces'],
  [['A == IF 1 THEN 2', 'B == 3'], '3:1', 'an `IF` always has both: `ELSE UNCHANGED v` in an action'],
  [['UNION == 1'], '2:1', '`UNION` is a reserved word: take another name'],
  [['A == 1 << 2'], '2:8', '`<<` begins a tuple: nothing shifts bits'],
  [['A == M.F(1)'], '2:9', 'a field is no operator'],
  [['A == UNCHANGED x, y'], '2:17', 'of several variables it is `UNCHANGED <<x, y>>`'],
  [['A == CASE 1 -> 2, 2 -> 3'], '2:17', 'the arms of a `CASE` are joined by `[]`'],
  [['A == 1', ' TRUE'], '4:1', 'conditions are joined by `/\\`'],
  [['F[n] == 1'], '2:4', 'a function is defined with the set of its arguments, `f[x \\in S] == e`'],
  [['F(n \\in S) == 1'], '2:5', 'a parameter has neither set nor type'],
  [['F(n: Nat) == 1'], '2:4', 'a parameter has neither set nor type'],
  [['F() == 1'], '2:3', 'an operator without parameters is defined by `Name == e`'],
  [['IMPORT M'], '2:8', 'modules are brought by `EXTENDS A, B`'],
  [['A == b -> c'], '2:8', 'the set of functions is written `[S -> T]`, and implication `=>`'],
  [['CONSTANT A', 'A \\in {1}'], '3:3', 'what is known of a constant is stated by `ASSUME`'],
  [['CONSTANT A,', 'VARIABLE x'], '2:11', 'expected one more name after this comma, found `VARIABLE`'],
  [['DEFINE A == 1'], '2:1', 'expected a declaration, a definition or `====`, found `DEFINE`'],
  [['A == /\\ p, q \\in S'], '2:10', 'write `a \\in S /\\ b \\in S`'],
])('what a module says otherwise: %j', (lines, place, advice) => {
  expect(inModule(...lines)).toContain(advice)
  expect(inModule(...lines).startsWith(`${place}: `)).toBe(true)
})

test('a header without its second mark is told where the header is', () => {
  expect(first('---- MODULE Test\n\nEXTENDS Naturals\n====')).toBe(
    '1:13: expected `----` after the name of the module: `---- MODULE Test ----`',
  )
})

test.each([
  ['(* a */\nA == 1', '; the `*/` of line 2 closes none'],
  ['(**********\nA\n***********)\nA == 1 (*', '5:8: the comment'],
  ['(**********\nA == 1', '; this line of stars is not closed by `*)`'],
  ['(*) A', '; a `(*)` begins a comment, too'],
  ['(*-----)\nA == 1', '; this line ends in `)` alone'],
  ['(* a\n(* b', '; comments nest, and the one that begins on line 3 is not closed'],
])('what keeps a comment from being closed: %j', (text, advice) => {
  expect(inModule(text)).toContain(advice)
})

test('no advice where nothing is known of the mistake', () => {
  expect(first('S \\T )')).toBe('1:6: expected an operator or the end of the expression, found `)`')
  expect(first('a b')).toBe('1:3: expected an operator or the end of the expression, found `b`')
})
