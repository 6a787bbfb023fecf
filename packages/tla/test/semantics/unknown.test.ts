import { describe, expect, test } from 'vitest'
import { refusal } from './modules-in-memory.ts'

describe('a name that is not known here, and why', () => {
  test.each([
    ['F(x) == F(x)', 'M.tla:2:9: `F` is not defined within its own definition: write `RECURSIVE F(_)` before it'],
    ['F == LET g(a, b) == g(b, a) IN g(1, 2)', 'write `RECURSIVE g(_, _)` before it'],
    ['F == [x \\in {1} |-> F[x]]', 'write a recursive function as `F[x \\in S] == …`'],
    ['Len == Len(<<>>)', 'add `EXTENDS Sequences`, the module that defines it'],
    ['F == G\nG == 1', '`G` is not defined before line 3: move its definition up'],
    ['F == (\\E x \\in {1} : TRUE) /\\ x = 1', ' here: the expression that binds it (2:10) ends at 2:25'],
    ['F == (LET y == 1 IN y) = y', ' here: the `LET` that defines it (2:11) has ended'],
    [
      'F == \\E x \\in {1}, y \\in {x} : TRUE',
      ' in this set: it is bound in the same list (2:9); bind it in a quantifier of its own around this one',
    ],
    ['F == {x : x \\in {1} /\\ x = 1}', '`x` is not defined in this set: it is bound in the same list (2:11)'],
  ])('%s', (text, message) => {
    expect(refusal(text)).toContain(message)
  })

  test('of several expressions that bind it, the last one before it counts', () => {
    const text =
      'F == /\\ \\A x \\in {1} : x = 1\n     /\\ \\E x \\in {2} : x = 2\n     /\\ x = 3\n     /\\ \\E x \\in {4} : x = 4'
    expect(refusal(text)).toContain('M.tla:4:9: `x` is not defined here: the expression that binds it (3:12) ends')
  })
})

describe('what people who come from elsewhere write', () => {
  test.each([
    ['F == True', '`True` is not defined: write keywords in capitals'],
    ['CONSTANT N\nASSUME N == 3', '`==` here names the statement: compare with `=`'],
    ['F == NULL', '`NULL` is not defined: declare a constant for it'],
    ['F == 1 && 2', '`&&` is not defined: write `/\\` for "and"'],
    ['F == 1 || 2', '`||` is not defined: write `\\/` for "or"'],
    ['VARIABLE x\nF == x := 1', "`:=` is not defined: write `x' = e` for the next value of a variable"],
    [
      'EXTENDS Naturals\nF == 4 / 2',
      '`/` is not defined: write `a % b` for the remainder and `a \\div b` for the quotient',
    ],
    ['EXTENDS Naturals\nF == -1', '`-.` is not defined (unary minus): add `EXTENDS Integers`'],
    ['F == {1} \\setminus', '`setminus` is not defined: write `{}` for the empty set, `S \\ T` for a difference'],
    ['F == Sequences!Len(<<>>)', '`Sequences` is not defined: it is a module; add `EXTENDS Sequences`'],
    ['VARIABLES x, y\nF == [][TRUE]_vars', 'define it as the tuple of all variables: `vars == <<x, y>>`'],
  ])('%s', (text, message) => {
    expect(refusal(text)).toContain(message)
  })
})

describe('what a module brings already', () => {
  test('is not declared again', () => {
    expect(refusal('EXTENDS Naturals\nCONSTANTS N, Nat')).toContain(
      '): it comes from module `Naturals`; remove this declaration; replace it for a check in the configuration, as in ' +
        '`CONSTANT Nat <- MyNat`',
    )
    expect(refusal('EXTENDS Sequences\nVARIABLE Len')).toContain('remove this declaration, or choose another name')
  })

  test('nor defined', () => {
    expect(refusal('EXTENDS Naturals\nNat == 0 .. 3')).toContain(
      '): it comes from module `Naturals`; remove this definition, or choose another name; replace it for a check in the configuration',
    )
    expect(refusal('EXTENDS Sequences\nLen(s) == 3')).toMatch(/remove this definition, or choose another name$/m)
  })

  test('nor is what is declared defined', () => {
    expect(refusal('CONSTANT N\nN == 3')).toContain(
      '`N` is already a constant (M.tla:2:10), so it cannot be defined: remove its declaration',
    )
  })

  test('nor is what is built in', () => {
    expect(refusal('CONSTANT BOOLEAN')).toContain('is built into TLA+ and cannot be defined')
  })
})

describe('how an operator or a function is applied', () => {
  test.each([
    ['CONSTANT F\nG == F(1, 2)', '; declare an operator as `CONSTANT F(_, _)`, or apply a function as `F[…]`'],
    ['G(f) == f(1)', '; declare an operator parameter as `f(_)`, or apply a function as `f[…]`'],
    ['VARIABLE f\nG == f(1)', '; apply a function as `f[…]`'],
    ['F(a, b) == a\nG == F', ': write `F(a, b)`'],
    ['F(a) == a\nG == F[1]', '; apply an operator as `F(…)`'],
  ])('%s', (text, message) => {
    expect(refusal(text)).toContain(message)
  })
})

test('a module is not taken for the one that it lacks', () => {
  expect(refusal('EXTENDS Mm')).not.toContain('did you mean')
})
