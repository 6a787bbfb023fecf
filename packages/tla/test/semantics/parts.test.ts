/**
 * Parts of definitions by `!`, and labels. What the parts are was compared with what TLC prints for
 * them.
 */
import { describe, expect, test } from 'vitest'
import type { Term } from '../../src/semantics/term.ts'
import { definition, module, refusal } from './modules-in-memory.ts'

/** The body of the part that `F` refers to. */
function part(text: string): Term {
  const { body } = definition(module(text), 'F')
  if (body.kind !== 'reference' || body.symbol.kind !== 'definition') throw new Error('no reference')
  return body.symbol.body
}

const VALUE = (value: number) => ({ kind: 'number', value })

describe('an operand', () => {
  test.each([
    ['A == /\\ 1\n     /\\ 2\nF == A!2', VALUE(2)],
    ['A == \\/ 1\n     \\/ /\\ 2\n        /\\ 3\nF == A!2!1', VALUE(2)],
    ['A == 1 = 2\nF == A!<<', VALUE(1)],
    ['A == 1 = 2\nF == A!>>', VALUE(2)],
    ['G(a, b, d) == a\nA == G(1, 2, 3)\nF == A!3', VALUE(3)],
    ['A == <<1, 2>>\nF == A!2', VALUE(2)],
    ['A == [a |-> 1, b |-> 2]\nF == A!2', VALUE(2)],
    ['A == IF 1 THEN 2 ELSE 3\nF == A!3', VALUE(3)],
    ['A == CASE 1 -> 2 [] 3 -> 4 [] OTHER -> 5\nF == A!2!1', VALUE(3)],
    ['A == CASE 1 -> 2 [] 3 -> 4 [] OTHER -> 5\nF == A!3!2', VALUE(5)],
    ['A == LET g == 1 IN 2\nF == A!1', VALUE(2)],
    ['A == [1 -> 2]\nF == A!2', VALUE(2)],
    ['A == 1[2]\nF == A!2', VALUE(2)],
    ['A == {1} \\X {2} \\X {3}\nF == A!3!1', VALUE(3)],
    ['A == \\A x, y \\in 1, z \\in 2 : TRUE\nF == A!2', VALUE(2)],
    ['A == [1 EXCEPT ![2] = 3]\nF == A!1', VALUE(1)],
    ['A == <<1>>.foo\nF == A!2', { kind: 'string', value: 'foo' }],
    ['VARIABLE x\nA == WF_x(1)\nF == A!2', VALUE(1)],
    ['VARIABLE x\nA == [][1]_x\nF == A!1!1', VALUE(1)],
    ['THEOREM A == 1 = 2\nF == A!2', VALUE(2)],
    ['ASSUME A == 1 = 2\nF == A!2', VALUE(2)],
  ])('%s', (text, expected) => {
    expect(part(text)).toMatchObject(expected)
  })

  test('of a chain of infix operators, which associate to the left', () => {
    const chain = 'A == 1 /\\ 2 /\\ 3\n'
    expect(part(`${chain}F == A!2`)).toMatchObject(VALUE(3))
    expect(part(`${chain}F == A!1`)).toMatchObject({ kind: 'and', items: [VALUE(1), VALUE(2)] })
    expect(part(`${chain}F == A!1!2`)).toMatchObject(VALUE(2))
    expect(refusal(`${chain}F == A!3`)).toContain('there is no operand `3`')
  })
})

test('parameters of the definition and what is bound on the way are the parameters of the part', () => {
  const loaded = module('A(p) == \\A x \\in {1}, y \\in {2} : x = p\nF == A(3)!(4, 5)!<<')
  expect(definition(loaded, 'F').body).toMatchObject({
    symbol: { name: 'A!()!<<', parameters: [{ name: 'p' }, { name: 'x' }, { name: 'y' }] },
    arguments: [VALUE(3), VALUE(4), VALUE(5)],
  })
})

test('what `\\EE` binds is a parameter as any other, of the level of what is given', () => {
  const hides = 'A == \\EE x, y : /\\ x = 1\n                /\\ y = 2\n'
  expect(refusal(`${hides}ASSUME A!(3, 4)!2!1 = 4`)).toBeUndefined()
  expect(refusal(`${hides}VARIABLE v\nASSUME A!(3, v)!2!1 = 4`)).toContain('this assumption is a state function')
  expect(definition(module(`${hides}VARIABLE v\nF == A!(3, v')!2!1`), 'F').level).toBe('action')
  expect(definition(module(`${hides}VARIABLE v\nF == A!(3, v')!1!1`), 'F').level).toBe('constant')
})

test('without arguments a part is an operator of all of them', () => {
  const loaded = module('H(G(_, _)) == G(1, 2)\nA(p) == [x \\in {1} |-> x = p]\nF == H(A!@)')
  expect(definition(loaded, 'F').body).toMatchObject({ arguments: [{ kind: 'operator', parameters: [{}, {}] }] })
  expect(refusal('A(p) == p = 1\nF == A!1')).toContain('takes 1 argument')
  expect(refusal('A(p) == p = 1\nF == A!2')).toContain('takes 1 argument')
  expect(refusal('H(G(_)) == G(1)\nA(p) == [x \\in {1} |-> x = p]\nF == H(A(1)!@)')).toContain(
    'arguments are given here',
  )
})

test('what a LET defines comes after `:`', () => {
  expect(part('A == LET g == 1 IN 2\nF == A!:!g')).toMatchObject(VALUE(1))
  expect(part('A(x) == LET g(y) == <<x, y>> IN 2\nF == A(1)!:!g(2)!2')).toMatchObject({ symbol: { name: 'y' } })
  expect(refusal('A == LET g == 1 IN 2\nF == A!g')).toContain('what its LET defines is `!:!g`')
  expect(refusal('A == LET g == 1 IN 2\nF == A!:!h')).toContain('this LET defines no operator `h`')
})

describe('labels', () => {
  const LABELED = 'A(p) == \\A x \\in {1} : (one(x) :: x = p) /\\ \\E y \\in {2} : two(x, y) :: (three :: 3) /\\ y\n'

  test('name parts, with what is bound around them', () => {
    expect(part(`${LABELED}F == A(1)!one(2)!<<`)).toMatchObject({ symbol: { name: 'x' } })
    expect(part(`${LABELED}F == A(1)!two(2, 3)!2`)).toMatchObject({ symbol: { name: 'y' } })
    expect(part(`${LABELED}F == A(1)!two(2, 3)!three`)).toMatchObject(VALUE(3))
    expect(refusal(`${LABELED}F == A(1)!three`)).toContain('there is no label `three` here')
    expect(refusal(`${LABELED}F == A(1)!one`)).toContain('takes 2 arguments (M.tla:3:11), found 1')
  })

  test.each([
    ['F == (L :: TRUE) /\\ (L :: FALSE)', 'label `L` is already defined (M.tla:2:7)'],
    ['F == \\A x \\in {1} : L :: TRUE', 'the label `L` must have the parameter `x`'],
    ['F == \\A x \\in {1} : L(y) :: TRUE', '`y` is not bound between the label `L` and'],
    ['F(y) == \\A x \\in {1} : L(x, y) :: TRUE', '`y` is not bound between the label `L` and'],
    ['F == \\A x \\in {1} : L(x) :: \\A y \\in {2} : K(x, y) :: TRUE', '`x` is not bound between the label `K` and'],
    ['F == \\A x \\in {1} : L(x, x) :: TRUE', 'the label `L` has the parameter `x` twice'],
    ['F(f) == [f EXCEPT ![1] = L :: 2]', 'a label is not allowed in an EXCEPT'],
    ['ASSUME L :: TRUE', 'a label is not allowed outside of definitions'],
  ])('%s', (text, message) => {
    expect(refusal(text)).toContain(message)
  })
})

describe('no parts', () => {
  test.each([
    ['A == 5\nF == A!1', 'this part has 0 operands'],
    ['A == /\\ 1\n     /\\ 2\nF == A!0', 'there is no operand `0` here'],
    ['G(a, b, d) == a\nA == G(1, 2, 3)\nF == A!>>', 'there is no operand `>>` here'],
    ['A == CASE 1 -> 2 [] 3 -> 4\nF == A!1', 'an arm of CASE is not an expression'],
    ['A == \\A x \\in {1} : TRUE\nF == A!(1, 2)', 'this part binds 1 name'],
    ['A == 5\nF == A!(1)', 'selects from an expression that binds names'],
    ['G(H(_)) == H(1)\nA == G(LAMBDA x : x)\nF == A!1', 'this argument is an operator'],
    ['F(x) == x!1', '`x` is not a definition'],
    ['RECURSIVE F(_)\nF(x) == F(x)!1', '`F` is being defined here'],
    ['A == 1 = 2\nF == A!:!1', 'only the name of a LET definition can follow `!:`'],
    ['A == 1 = 2\nF == A!1!:', '`:` selects the body of the definition named right before it'],
  ])('%s', (text, message) => {
    expect(refusal(text)).toContain(message)
  })
})
