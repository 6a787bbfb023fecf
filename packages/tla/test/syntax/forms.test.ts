import { expect, test } from 'vitest'
import { parseExpression } from '../../src/syntax/parse.ts'
import { refusal, shown } from './show.ts'

/** Forms that show as they are written. */
const same = (...texts: string[]): void => {
  for (const text of texts) expect(shown(text), text).toBe(text)
}

/** Forms that reach to the right as far as they can show in parentheses. */
const open = (...texts: string[]): void => {
  for (const text of texts) expect(shown(text), text).toBe(`(${text})`)
}

test('sets', () => {
  same('{}', '{1, 2}', '{x \\in S : x}', '{<<x, y>> \\in S : x}', '{x : x, y \\in S, <<z, w>> \\in T}')
  expect(shown('{x \\in S}')).toBe('{(\\in x S)}')
  expect(shown('{x \\in S, 1}')).toBe('{(\\in x S), 1}')
  expect(shown('{<<x, 1>> \\in S}')).toBe('{(\\in <<x, 1>> S)}')
  expect(shown('{x \\in S \\cup T : x \\in T}')).toBe('{x \\in (\\cup S T) : (\\in x T)}')
  expect(refusal('{f(x) \\in S : x}')).toContain('must be a name or a tuple of names')
})

test('what begins as a bound is one, as for SANY', () => {
  expect(shown('{x \\in S /\\ P : x \\in T}')).toBe(
    shown('{x \\in (S /\\ P) : x \\in T}').replace('((', '(').replace('))', ')'),
  )
  expect(shown('{(x \\in S) : x \\in T}')).toContain(' : x \\in T}')
  expect(shown('{x \\in S}')).toBe('{(\\in x S)}')
  expect(refusal('{<<x, y>> \\in S}')).toContain('expected `:` and a condition, found `}`')
  expect(refusal('[x \\in S /\\ P]_v')).toContain('expected `,` or `|->`, found `]_`')
  expect(refusal('[<<x, y>> \\in S -> T]')).toContain('expected `,` or `|->`, found `->`')
  expect(refusal('[x \\in S EXCEPT ![1] = 2]')).toContain('expected `,` or `|->`, found `EXCEPT`')
})

test('functions, records and their sets', () => {
  same('[x \\in S |-> x]', '[x, y \\in S, <<z, w>> \\in T |-> x]', '[S -> T]', '[a |-> 1, b |-> 2]', '[a : S, b : T]')
  same('f[1]', 'f[1, 2][3]', 'f.a.b', 'f[1].a', '[IF |-> 1].IF', '[f EXCEPT ![1, 2].a = @, !.IF = 2]')
  expect(shown('[(x \\in S)]_x')).toBe('[((\\in x S))]_x')
  expect(shown('[f[x] \\in S]_x')).toBe('[(\\in f[x] S)]_x')
  expect(refusal('[f(x) \\in S |-> 1]')).toContain('1:13: expected a bound `x \\in S` before `|->`')
  expect(shown('[[S -> T] -> T]')).toBe('[[S -> T] -> T]')
  expect(refusal('[a |-> 1, IF |-> 2]')).toContain('expected the name of a field, found the reserved word `IF`')
})

test('tuples and actions with subscripts', () => {
  same('<<>>', '<<1, <<2>>>>', '[A]_v', '<<A>>_v', '[A]_<<x, y>>', '[A]_(x)', '<<A>>_I!vars', '[A]_{x}')
  same('WF_v(A)', 'SF_<<x, y>>(A)', 'WF_I!vars(A)', 'WF_(x)(A)', 'SF_I(1)!vars(A)', 'WF_[a |-> x](A)')
  expect(shown('WF_f(x)(A)')).toBe('WF_(f x)(A)')
  expect(shown('[][A]_v /\\ WF_v (A)')).toBe('(/\\ ([] [A]_v) WF_v(A))')
})

test('quantifiers and CHOOSE', () => {
  open('\\A x, y \\in S, <<z, w>> \\in T : x', '\\E x : x', '\\AA x, y : x', '\\EE x : x')
  open('CHOOSE x \\in S : x', 'CHOOSE x : x', 'CHOOSE <<x, y>> \\in S : x', 'CHOOSE <<x, y>> : x')
  expect(shown('\\exists x \\in S : \\forall y \\in x : y')).toBe('(\\E x \\in S : (\\A y \\in x : y))')
})

test('IF, CASE and LET', () => {
  expect(shown('IF a THEN b ELSE IF c THEN d ELSE e')).toBe('(IF a b (IF c d e))')
  open('CASE a -> b', 'CASE a -> b [] c -> d [] OTHER -> e')
  expect(shown('CASE a -> CASE b -> c [] OTHER -> d')).toBe('(CASE a -> (CASE b -> c [] OTHER -> d))')
  expect(shown('CASE []a -> []b [] c -> d')).toBe('(CASE ([] a) -> ([] b) [] c -> d)')
  expect(shown('LET F(x, G(_)) == x f[x \\in S] == x RECURSIVE R(_) R(x) == x I == INSTANCE M IN 1')).toBe(
    '(LET F(x, G/1) == x; f[x \\in S] == x; recursive R/1; R(x) == x; I == INSTANCE M IN 1)',
  )
})

test('names with arguments, which may be operators', () => {
  expect(shown('F(a, b)')).toBe('(F a b)')
  expect(shown('F(+, -, \\in, ^+, -., DOMAIN)')).toBe('(F op + op - op \\in op ^+ op -. op DOMAIN)')
  expect(shown('F(LAMBDA x, y : x + y, 1)')).toBe('(F (LAMBDA x y : (+ x y)) 1)')
  expect(shown('F(-1, I!+)')).toBe('(F (-. 1) op I!+)')
  expect(shown('+(1, 2)')).toBe('(+ 1 2)')
})

test('paths through instances, labels and parts of definitions', () => {
  same('I!x', 'I(1)!J!x', 'Op!1!<<', 'Op!>>!:', 'Op!@!2')
  expect(shown('I!F(1)')).toBe('(I!F 1)')
  expect(shown('I!+(1, 2) + I(3)!\\o(a, b)')).toBe('(+ (I!+ 1 2) (I(3)!\\o a b))')
  expect(shown('Op!(4)!lab(5)!1')).toBe('Op!()(4)!lab(5)!1')
})

test('labels', () => {
  expect(shown('lab :: a + b')).toBe('(lab :: (+ a b))')
  expect(shown('a /\\ lab(x, y) :: b = c')).toBe('(/\\ a (lab(x, y) :: (= b c)))')
  expect(shown('1 + lab :: b')).toBe('(+ 1 (lab :: b))')
  expect(refusal('a + 1 :: b')).toContain('`::` must follow a label')
  expect(refusal('a = lab :: b /\\ c')).toContain('this label changes how the expression is read')
})

test('numbers and strings', () => {
  same('0', '12', '\\b101', '\\O17', '\\hfF', '1.5')
  expect(shown('"a\\"b\\\\c\\n"')).toBe(JSON.stringify('a"b\\c\n'))
  expect(shown('"(* no comment *)"')).toBe('"(* no comment *)"')
})

test('every node knows its place', () => {
  const node = parseExpression({ path: 'test', text: 'a +\n  F(b,\n c)' })
  if (node.kind !== 'apply') throw new Error('expected an application')
  expect(node.at).toMatchObject({ line: 1, column: 1, endLine: 3, endColumn: 3 })
  expect(node.nameAt).toMatchObject({ line: 1, column: 3, endLine: 1, endColumn: 3 })
  expect(node.arguments[1]!.at).toMatchObject({ line: 2, column: 3, endLine: 3, endColumn: 3 })
})
