import { expect, test } from 'vitest'
import { parseModule } from '../../src/syntax/parse.ts'
import { showUnit, unitOf, unitsOf } from './show.ts'

const shown = (text: string): string => unitsOf(text).map(showUnit).join('; ')

test('a module begins at its header and ends at its line of `=`; the rest of the text counts for nothing', () => {
  const text = 'Some "text\n(* ---- MODULE M -----\nEXTENDS A, B\nx == 1\n=====\n---- "nor this'
  const module = parseModule({ path: 'M.tla', text })
  expect(showUnit(module)).toBe('MODULE M EXTENDS A B: x == 1')
  expect(module.name.at).toMatchObject({ line: 2, column: 16 })
  expect(module.at).toMatchObject({ line: 2, column: 4, endLine: 5, endColumn: 5 })
})

test('declarations', () => {
  expect(shown('CONSTANT N, F(_, _), _ + _, _^#, -. _ CONSTANTS M')).toBe('constants N F/2 +/2 ^#/1 -./1; constants M')
  expect(shown('VARIABLE x VARIABLES y, z')).toBe('variables x; variables y z')
  expect(shown('RECURSIVE F(_), G')).toBe('recursive F/1 G')
})

test('definitions of operators, also of those by symbol', () => {
  expect(shown('a == 1 F(x, G(_), _ \\prec _) == x')).toBe('a == 1; F(x, G/1, \\prec/2) == x')
  expect(shown('a \\oplus b == a a ^+ == a -. a == 0')).toBe('(+)(a, b) == a; ^+(a) == a; -.(a) == 0')
  expect(shown('LOCAL a ++ b == b + a LOCAL x == 1')).toBe('LOCAL ++(a, b) == (+ b a); LOCAL x == 1')
})

test('definitions of functions', () => {
  expect(shown('f[x \\in S, <<y, z>> \\in T] == f[x] LOCAL g[x \\in S] == 1')).toBe(
    'f[x \\in S, <<y, z>> \\in T] == f[x]; LOCAL g[x \\in S] == 1',
  )
})

test('instances', () => {
  expect(shown('INSTANCE M LOCAL INSTANCE N I == INSTANCE M J(x) == INSTANCE M')).toBe(
    'INSTANCE M; LOCAL INSTANCE N; I == INSTANCE M; J(x) == INSTANCE M',
  )
  expect(shown('I == INSTANCE M WITH a <- -1, b <- LAMBDA x : x, + <- -, - <- \\prec\n-. x == 0')).toBe(
    'I == INSTANCE M WITH a <- (-. 1), b <- (LAMBDA x : x), + <- op -, - <- op \\prec; -.(x) == 0',
  )
})

test('what is substituted may be a junction list', () => {
  expect(shown('INSTANCE M WITH\n a <- /\\ b\n      /\\ c,\n d <- \\/')).toBe(
    'INSTANCE M WITH a <- (list /\\ b c), d <- op \\/',
  )
})

test('assumptions and theorems', () => {
  expect(shown('ASSUME a ASSUMPTION N == b AXIOM c')).toBe('ASSUME a; ASSUME N == b; ASSUME c')
  expect(shown('THEOREM a LEMMA N == b PROPOSITION c COROLLARY d')).toBe(
    'THEOREM a; THEOREM N == b; THEOREM c; THEOREM d',
  )
})

test('modules within modules', () => {
  expect(shown('---- MODULE A ----\n---- MODULE B ----\nb == 1\n====\na == 2\n====\nc == 3')).toBe(
    'MODULE A EXTENDS : MODULE B EXTENDS : b == 1; a == 2; c == 3',
  )
})

test('lines of `-` stand anywhere between units', () => {
  expect(shown('----\na == 1\n-----------\nb == 2\n----')).toBe('a == 1; b == 2')
})

test('comments nest, and a comment of a line reaches to its end', () => {
  expect(shown('a == (* (* x *) " *) 1 \\* (* b == 2\nc == 3 (**)')).toBe('a == 1; c == 3')
  expect(shown('a ==\r\n /\\ 1\r\n /\\ 2\r\n')).toBe('a == (list /\\ 1 2)')
})

test('names hold a letter; the longest symbol counts', () => {
  expect(shown('1a == _b_ WFx == W_ SF1 == 2_b')).toBe('1a == _b_; WFx == W_; SF1 == 2_b')
  expect(shown('a == b\\otherwise c == 1..2 d == S\\in T')).toBe(
    'a == (\\o b therwise); c == (.. 1 2); d == (\\in S T)',
  )
})

test('a definition may begin on the line where another ends', () => {
  expect(unitOf('a == b').at).toMatchObject({ line: 2, column: 1, endLine: 2, endColumn: 6 })
  expect(shown('a == b c == d')).toBe('a == b; c == d')
})
