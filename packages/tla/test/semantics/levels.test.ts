/**
 * Levels: what may be primed, what may stand under which operator, what terms are. The verdicts are
 * SANY's.
 */
import { describe, expect, test } from 'vitest'
import { definition, module, refusal } from './modules-in-memory.ts'

const SPEC = 'CONSTANT c\nVARIABLES x, y\n'

describe('the level of a definition', () => {
  test.each([
    ['1', 'constant'],
    ['c', 'constant'],
    ['x', 'state'],
    ["x'", 'action'],
    ["c'", 'action'],
    ['UNCHANGED x', 'action'],
    ["ENABLED (x' = 1)", 'state'],
    ["[x' = 1]_x", 'action'],
    ["[][x' = 1]_x", 'temporal'],
    ['WF_x(TRUE)', 'temporal'],
    ['\\E z \\in {x} : z = 1', 'state'],
    ["\\E z \\in {1} : z' = 1", 'action'],
    ["LET g == x' IN 1", 'constant'],
    ["LET g == x' IN g", 'action'],
    ['[c EXCEPT ![1] = x]', 'state'],
    ['IF TRUE THEN x ELSE 1', 'state'],
    ['[](x = 1)', 'temporal'],
    ['(x = 1) ~> (x = 2)', 'temporal'],
    ['\\EE h : h = x', 'temporal'],
  ])('%s is %s', (text, level) => {
    expect(definition(module(`${SPEC}F == ${text}`), 'F').level).toBe(level)
  })

  test('follows from what operators are given', () => {
    const loaded = module(
      `EXTENDS Sequences\n${SPEC}Op(a) == a\nA == Op(x)\nB == Op(x')\nC == Op(1)\nD == Len(x)\nU(a) == 1\nE == U(x')`,
    )
    expect(['Op', 'A', 'B', 'C', 'D', 'E'].map((name) => definition(loaded, name).level)).toEqual([
      'constant',
      'state',
      'action',
      'constant',
      'state',
      'constant',
    ])
  })

  test('of recursive operators is that of all of them', () => {
    const loaded = module(`${SPEC}RECURSIVE A(_), B(_)\nA(n) == B(n)\nB(n) == IF n = x THEN 1 ELSE A(n)\nC == A(1)`)
    expect(['A', 'B', 'C'].map((name) => definition(loaded, name).level)).toEqual(['state', 'state', 'state'])
  })

  test('through an instance is that of what is substituted', () => {
    const loaded = module(`${SPEC}I == INSTANCE A WITH N <- x'\nJ == INSTANCE A WITH N <- 1\nF == I!Foo\nG == J!Foo`, {
      A: 'CONSTANT N\nFoo == N',
    })
    expect(['F', 'G'].map((name) => definition(loaded, name).level)).toEqual(['action', 'constant'])
  })
})

describe('refused', () => {
  test.each([
    ["x''", 'so it cannot be primed'],
    ["(x' = 1)'", 'so it cannot be primed'],
    ["UNCHANGED (x')", 'so it cannot be left UNCHANGED'],
    ["[x EXCEPT ![1] = @']'", 'so it cannot be primed'],
    ['([](x = 1)) \\cdot TRUE', 'can be at most an action'],
    ['ENABLED ([](x = 1))', 'the operand of `ENABLED` can be at most an action, but this is a temporal formula'],
    ["[](x' = x)", 'an action after `[]` must have the form `[][A]_v`'],
    ["<>(x' = x)", 'an action after `<>` must have the form `<><<A>>_v`'],
    ["<>[x' = x]_x", 'an action after `<>` must have the form'],
    ["(x' = x) ~> TRUE", 'the operand of `~>` cannot be an action'],
    ["(x' = x) /\\ [](x = 1)", '`/\\` joins a temporal formula and this action'],
    ["(x' = x) => [](x = 1)", '`=>` joins a temporal formula and this action'],
    ['([](x = 1)) = TRUE', 'can be at most an action, but this is a temporal formula'],
    ['{[](x = 1)}', 'can be at most an action'],
    ["\\A a \\in {x'} : [](x = a)", 'the set of a bound name of a temporal formula cannot be an action'],
    ['CHOOSE a \\in {1} : [](x = a)', 'the condition of CHOOSE can be at most an action'],
    ['WF_x([](x = 1))', 'the action of WF can be at most an action'],
    ["WF_(x')(TRUE)", 'the subscript of WF can be at most a state function, but this is an action'],
    ["[][TRUE]_(x')", 'the subscript of an action can be at most a state function'],
  ])('%s', (text, message) => {
    expect(refusal(`${SPEC}F == ${text}`)).toContain(message)
  })

  test.each([
    ["Op(a) == a'\nF == Op(x')", 'the parameter `a` of `Op` (M.tla:4:4) can be at most a state function'],
    ["Op(a) == a'\nOp2(a) == Op(a)\nF == Op2(x')", 'the parameter `a` of `Op2`'],
    ["Op(G(_)) == G(x')\nP(a) == a'\nF == Op(P)", 'can be at most a state function'],
    ["Op(G(_), b) == G(b)\nP(a) == a'\nF == Op(P, x')", 'can be at most a state function'],
    ["Op(G(_)) == G(1)\nP(a) == x'\nF == Op(P)'", 'so it cannot be primed'],
    ["Op(G(_)) == G(x')\nF == Op(LAMBDA a : a')", 'can be at most a state function'],
    ["RECURSIVE F(_)\nF(a) == a'", 'is primed in its body'],
    ['ASSUME x = 1', 'this assumption is a state function, but an assumption may use constants only'],
    ["f[a \\in {1}] == x'\nF == f[1]'", 'so it cannot be primed'],
  ])('%s', (text, message) => {
    expect(refusal(`${SPEC}${text}`)).toContain(message)
  })

  test.each([
    [
      'I == INSTANCE A WITH N <- x, v <- 1',
      { A: 'CONSTANT N\nVARIABLE v' },
      'the constant `N` of module `A` (A.tla:2:10) can be substituted by a constant only, but this is a state function',
    ],
    [
      "I == INSTANCE A WITH v <- y'",
      { A: 'VARIABLE v' },
      'the variable `v` of module `A` (A.tla:2:10) can be substituted by at most a state function, but this is an action',
    ],
    [
      'I == INSTANCE A WITH N <- []x',
      { A: 'CONSTANT N\nFoo == N = 1' },
      '`N` of module `A` (A.tla:2:10) can be at most an action',
    ],
    [
      'I == INSTANCE B WITH N <- []x',
      { A: 'CONSTANT N\nFoo == N = 1', B: 'EXTENDS A' },
      '(A.tla:2:10) can be at most an action',
    ],
    ["I(n) == INSTANCE A WITH v <- n\nF == I(x)!Foo'", { A: "VARIABLE v\nFoo == v'" }, 'so it cannot be primed'],
    [
      "I == INSTANCE A WITH u <- x\nF == I!J!Foo'",
      { A: 'VARIABLE u\nJ == INSTANCE B WITH v <- u', B: "VARIABLE v\nFoo == v'" },
      'so it cannot be primed',
    ],
  ])('%s', (text, others, message) => {
    expect(refusal(`${SPEC}${text}`, others as unknown as Record<string, string>)).toContain(message)
  })
})

describe('allowed', () => {
  test.each([
    ["Op(a) == a'\nF == Op(x)"],
    ["Op(G(_)) == G(x)\nP(a) == a'\nF == Op(P)"],
    ["F == \\E z \\in {x'} : z' = 1"],
    ["A == x' = 1\nF == x = 0 /\\ [][A]_x /\\ WF_x(A) /\\ SF_<<x>>(A) /\\ []<><<A>>_x"],
    ["F == []([x' = 1]_x) /\\ [](LET n == x' = 1 IN [n]_x)"],
    ["F == IF x' = x THEN [](x = 1) ELSE TRUE"],
    ['F == [a |-> [](x = 1)]'],
    ['F == \\A a \\in {x} : [](x = a)'],
    ["F == ENABLED (x' = 1 /\\ ENABLED (x' = 2))"],
    ['P(a) == x = a\nASSUME c = 1\nF == P(c)'],
    ["F == [x EXCEPT ![x'] = @']"],
    ['P(a) == \\E z \\in a : TRUE\nF == P([]x)'],
    ['P(a) == {z \\in a : TRUE}\nF == P([]x)'],
    ['P(a) == CHOOSE z \\in a : TRUE\nF == P([]x)'],
    ['P(a) == LET g[z \\in a] == g[z] IN g\nF == P([]x)'],
  ])('%s', (text) => {
    expect(refusal(`${SPEC}${text}`)).toBeUndefined()
  })

  test('what an instance is given for its parameters, where names of the module are used as they are only', () => {
    const inner = { A: 'CONSTANT N\nVARIABLE v\nName == N\nLet == LET n == N IN n\nUse == N = 1\nSee == v = 1' }
    const instance = `${SPEC}I(n, w) == INSTANCE A WITH N <- n, v <- w\n`
    expect(refusal(`${instance}F == I(x, x)!Name`, inner)).toBeUndefined()
    expect(refusal(`${instance}F == I(x, x)!Let`, inner)).toBeUndefined()
    expect(refusal(`${instance}F == I(x', x)!See`, inner)).toBeUndefined()
    expect(refusal(`${instance}F == I(x, x)!Use`, inner)).toContain('`n` of `A` (M.tla:4:3) can be at most a constant')
    expect(refusal(`${instance}F == I(1, x')!See`, inner)).toContain('`w` of `A` (M.tla:4:6) can be at most a state')
  })

  test('a module of constants alone may be given anything', () => {
    expect(
      refusal(`${SPEC}I == INSTANCE A WITH N <- x'\nF == I!Foo`, { A: 'CONSTANT N\nFoo == N = 1' }),
    ).toBeUndefined()
  })
})
