import { describe, expect, test } from 'vitest'
import { refusal } from './modules-in-memory.ts'

describe('a name that is not known here, and why', () => {
  test.each([
    [
      'F(x) == F(x)',
      'M.tla:2:9: `F` is not defined within its own definition: write `RECURSIVE F(_)` on a line before it',
    ],
    ['F == LET g(a, b) == g(b, a) IN g(1, 2)', 'write `RECURSIVE g(_, _)` on a line before it'],
    ['F == [x \\in {1} |-> F[x]]', 'a function that refers to itself is defined by `F[x \\in S] == …`'],
    ['F == {z \\in {1}}', ': to bind it a set has a condition, as in `{z \\in S : P}`'],
    ['F == {s \\in {n} : n \\in {1, 2}}', 'the union of the sets is `UNION {S : n \\in T}`'],
    ['Len == Len(<<>>)', 'module `Sequences` defines it'],
    ['F == G\nG == 1', '`G` is not defined before line 3: move its definition up'],
    [
      'F == (\\E x \\in {1} : TRUE) /\\ x = 1',
      'what is bound at 2:10 is known only to the end of its expression, 2:25',
    ],
    ['F == (LET y == 1 IN y) = y', 'the definition of 2:11 is one of a `LET`, and known only in that'],
    ['F == \\E x \\in {1}, y \\in {x} : TRUE', 'it is bound at 2:9, and no set of the same list can refer to it'],
    ['F == {x : x \\in {1} /\\ x = 1}', '`x` is not defined here: it is bound at 2:11'],
    ['F == {x : x \\in {1} /\\ y \\in {2}}', 'it stands after a comma, as in `x \\in S, y \\in T`'],
  ])('%s', (text, message) => {
    expect(refusal(text)).toContain(message)
  })

  test('of several expressions that bind it, the last one before it counts', () => {
    const text =
      'F == /\\ \\A x \\in {1} : x = 1\n     /\\ \\E x \\in {2} : x = 2\n     /\\ x = 3\n     /\\ \\E x \\in {4} : x = 4'
    expect(refusal(text)).toContain('M.tla:4:9: `x` is not defined here: what is bound at 3:12')
  })
})

describe('what people who come from elsewhere write', () => {
  test.each([
    ['F == True', '`True` is not defined: `TRUE` is written in capitals'],
    ['F == INTEGER', 'the set of integers is `Int`, of module Integers'],
    ['F == {p1, p2}', ': a model value of the configuration can be named here only if it is declared'],
    ['CONSTANT N\nASSUME N == 3', '`==` here names what is stated: to compare is written `=`'],
    ['VARIABLE v\nN == v\nF == []N_v', ': an action with its subscript is written `[N]_v`'],
    ['F == WF(1)', 'weak fairness is written `WF_vars(A)`'],
    ['F == NULL', 'there is no such value: declare a constant of your own for it'],
    ['F == 1 && 2', '`&&` is not defined: `and` is written `/\\`'],
    ['F == 1 || 2', '`||` is not defined: `or` is written `\\/`'],
    ['VARIABLE x\nF == x := 1', "the next value of a variable is given by `x' = e`"],
    ['EXTENDS Naturals\nF == 4 / 2', '`/` is not defined: integers are divided by `\\div`'],
    ['EXTENDS Naturals\nF == -1', '`-.` is not defined (it is unary minus): module `Integers` defines it'],
    ['F == {1} \\setminus', '`setminus` is not defined: `\\setminus` is written `\\` alone'],
    [
      'F == Sequences!Len(<<>>)',
      '`Sequences` is not defined: it is a module, whose names are brought by EXTENDS Sequences',
    ],
    ['VARIABLES x, y\nF == [][TRUE]_vars', 'it is usually the tuple of all variables, `vars == <<x, y>>`'],
  ])('%s', (text, message) => {
    expect(refusal(text)).toContain(message)
  })
})

describe('what a module brings already', () => {
  test('is not declared again', () => {
    expect(refusal('EXTENDS Naturals\nCONSTANTS N, Nat')).toContain(
      '): module `Naturals` brings it, so leave this declaration out; what stands for it in a check is said in the ' +
        'configuration, as in `CONSTANT Nat <- MyNat`',
    )
    expect(refusal('EXTENDS Sequences\nVARIABLE Len')).toContain('leave this declaration out, or take another name')
  })

  test('nor defined', () => {
    expect(refusal('EXTENDS Naturals\nNat == 0 .. 3')).toContain(
      '): module `Naturals` brings it, so leave this definition out, or take another name; what stands for it in a check',
    )
    expect(refusal('EXTENDS Sequences\nLen(s) == 3')).toMatch(/leave this definition out, or take another name$/m)
  })

  test('nor is what is declared defined', () => {
    expect(refusal('CONSTANT N\nN == 3')).toContain(
      '`N` is a constant already (M.tla:2:10), and a constant is not defined: leave its declaration out',
    )
  })

  test('nor is what is built in', () => {
    expect(refusal('CONSTANT BOOLEAN')).toContain('is built into TLA+ and cannot be defined')
  })
})

describe('how an operator or a function is applied', () => {
  test.each([
    ['CONSTANT F\nG == F(1, 2)', '; an operator is declared by `CONSTANT F(_, _)`, and a function applied by `F[…]`'],
    ['G(f) == f(1)', '; a parameter that is an operator is written `f(_)`, and a function applied by `f[…]`'],
    ['VARIABLE f\nG == f(1)', '; a function is applied by `f[…]`'],
    ['F(a, b) == a\nG == F', ': write `F(a, b)`'],
    ['F(a) == a\nG == F[1]', '; an operator is applied by `F(…)`'],
  ])('%s', (text, message) => {
    expect(refusal(text)).toContain(message)
  })
})

test('a module is not taken for the one that it lacks', () => {
  expect(refusal('EXTENDS Mm')).not.toContain('did you mean')
})
