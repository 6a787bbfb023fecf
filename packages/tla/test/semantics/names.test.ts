/** Which names are known where, and which cannot be bound. The verdicts are SANY's. */
import { describe, expect, test } from 'vitest'
import { loadModule } from '../../src/node/module-files.ts'
import { warningsOf } from '../../src/semantics/load.ts'
import { definition, module, refusal } from './modules-in-memory.ts'

describe('a name that is visible cannot be bound again', () => {
  test.each([
    ['a bound name, by an operator', 'Foo == 2\nX == \\E Foo \\in {1} : TRUE'],
    ['a bound name, by a variable', 'VARIABLE x\nX == \\E x \\in {1} : TRUE'],
    ['a bound name, by one around it', 'X == \\E x \\in {1} : \\E x \\in {2} : TRUE'],
    ['a bound name, by its neighbour', 'X == \\E x, x \\in {1} : TRUE'],
    ['a part of a tuple, by its neighbour', 'X == \\E <<x, x>> \\in {1} : TRUE'],
    ['a parameter, by an operator', 'x == 1\nF(x) == x'],
    ['a parameter, by its neighbour', 'F(x, x) == x'],
    ['a parameter, by its own operator', 'F(F) == F'],
    ['a parameter, by what is extended', 'EXTENDS Sequences\nF(Len) == Len'],
    ['a definition of LET, by an operator', 'x == 1\nF == LET x == 2 IN x'],
    ['a definition of LET, by a parameter', 'F(x) == LET x == 2 IN x'],
    ['the parameter of a LAMBDA', 'A(G(_)) == G(1)\nF(x) == A(LAMBDA x : x)'],
    ['the name of a function, by what it binds', 'f[f \\in {1}] == 1'],
    ['an operator, by an operator', 'Foo == 2\nFoo == 3'],
    ['an operator, by a variable', 'VARIABLE N\nN == 1'],
    ['a variable, by a constant', 'CONSTANT N\nVARIABLE N'],
    ['an operator, by what is extended', 'EXTENDS Naturals\na + b == 1'],
    ['an operator that is built in', 'a \\cup b == 1'],
    ['a name that is built in, by a bound name', 'X == \\E TRUE \\in {1} : TRUE'],
    ['a name that is built in, by a part of a tuple', 'X == {1 : <<a, BOOLEAN>> \\in {<<1, 2>>}}'],
    ['a name that is built in, by a parameter', 'F(STRING) == 1'],
    ['a name that is built in, by the parameter of a LAMBDA', 'A(G(_)) == G(1)\nX == A(LAMBDA FALSE : 1)'],
    ['the name of a theorem', 'Foo == 1\nTHEOREM Foo == TRUE'],
    ['an operator of a submodule, by one around it', 'Foo == 1\n---- MODULE Inner ----\nFoo == 2\n===='],
  ])('%s', (_, text) => {
    expect(refusal(text)).toMatch(/already|twice|has the name of|built into/)
  })

  test('with both places', () => {
    expect(refusal('VARIABLE x\nX == \\E x \\in {1} : TRUE')).toBe(
      `M.tla:3:9: \`x\` is already a variable (M.tla:2:10), and a visible name cannot be bound again: choose another name
    3 | X == \\E x \\in {1} : TRUE
      |         ^`,
    )
  })

  test('but a name that is not visible any more, or not yet, can', () => {
    expect(refusal('F == \\E y \\in {1} : TRUE\nG(y) == y\nH == LET y == 1 IN y\ny == 2')).toBeUndefined()
    expect(refusal('EXTENDS A\nG == 3', { A: 'LOCAL G == 2\nF(q) == q' })).toBeUndefined()
  })
})

describe('of two alike that come to have one name, the first keeps it, with a warning', () => {
  test.each([
    ['operators of two modules', 'EXTENDS A, B\nX == Foo', { A: 'Foo == 1', B: 'Foo == 2' }],
    ['operators of a module and of an instance', 'Foo == 2\nINSTANCE A\nX == Foo', { A: 'Foo == 1' }],
    ['operators of two instances', 'INSTANCE A WITH N <- 1\nINSTANCE A WITH N <- 2', { A: 'CONSTANT N\nFoo == N' }],
    ['two declarations of a constant', 'CONSTANT N\nCONSTANT N', {}],
    ['a constant and a variable of two modules', 'EXTENDS A, B', { A: 'CONSTANT N', B: 'VARIABLE N' }],
    ['a variable that is extended already', 'EXTENDS A\nVARIABLE x', { A: 'VARIABLE x' }],
    ['two instances of a name', 'I == INSTANCE A\nI == INSTANCE A', { A: 'G == 2' }],
    ['two theorems of a name', 'THEOREM T == TRUE\nTHEOREM T == TRUE', {}],
  ])('%s', (_, text, others) => {
    expect(warningsOf(module(text, others)).map(({ message }) => message)).toEqual([
      expect.stringMatching(/already|before/),
    ])
  })

  test('the first', () => {
    const loaded = module('EXTENDS A, B\nX == Foo', { A: 'Foo == 1', B: 'Foo == 2' })
    expect(definition(loaded, 'X').body).toMatchObject({ symbol: { name: 'Foo', module: 'A' } })
    expect(module('EXTENDS A\nVARIABLE x', { A: 'VARIABLE x' }).variables).toHaveLength(1)
  })

  test.each([
    ['a constant and an operator', 'EXTENDS A, B', { A: 'CONSTANT N', B: 'N == 1' }],
    ['an operator and a theorem', 'EXTENDS A, B', { A: 'THEOREM I == TRUE', B: 'I == 1' }],
    ['an operator of an instance and one with other arguments', 'Foo == 2\nINSTANCE A', { A: 'Foo(x) == 1' }],
    ['an operator of an instance and a variable', 'VARIABLE Foo\nINSTANCE A', { A: 'Foo == 1' }],
    ['instances with other parameters', 'I == INSTANCE A\nI(n) == INSTANCE A', { A: 'Foo == 1' }],
    ['constants with other arguments', 'CONSTANT N\nCONSTANT N(_)', {}],
  ])('but not %s', (_, text, others) => {
    expect(refusal(text, others)).toContain('already')
  })

  test('what a module keeps to itself it passes on if it takes it over openly as well', () => {
    expect(refusal('EXTENDS B\nX == Foo', { A: 'Foo == 1', B: 'LOCAL INSTANCE A\nINSTANCE A' })).toBeUndefined()
    expect(refusal('EXTENDS B\nX == Foo', { A: 'Foo == 1', B: 'LOCAL INSTANCE A' })).toContain('`Foo` is not defined')
  })

  test('a module in another passes on what both extend', () => {
    const inner = '---- MODULE Inner ----\nEXTENDS A\n===='
    expect(refusal(`EXTENDS A\n${inner}\nI == INSTANCE Inner\nX == I!Foo`, { A: 'Foo == 1' })).toBeUndefined()
  })

  test('the same definition on two ways is one', () => {
    const loaded = module('EXTENDS Naturals, Sequences, A\nINSTANCE B WITH v <- 1\nX == 1 + 1', {
      A: 'EXTENDS Naturals',
      B: 'EXTENDS Naturals\nVARIABLE v\nFoo == v',
    })
    expect(warningsOf(loaded)).toEqual([])
  })
})

describe('a name is known after its definition', () => {
  test('not before, unless it is declared RECURSIVE', () => {
    expect(refusal('F == G\nG == 1')).toContain('`G` is not defined before line 3: move its definition up')
    expect(refusal('F(x) == F(x)')).toContain(
      '`F` is not defined within its own definition: write `RECURSIVE F(_)` before it',
    )
    expect(refusal('RECURSIVE F(_)\nF(x) == F(x)')).toBeUndefined()
    expect(refusal('RECURSIVE F(_)\nG(x) == F(x)\nF(y) == G(y)')).toBeUndefined()
    expect(refusal('G == LET RECURSIVE f(_)\n         f(x) == f(x)\n     IN f(3)')).toBeUndefined()
  })

  test('functions may refer to themselves, not in their domain', () => {
    const loaded = module('f[x \\in {1}] == f[x]\ng[x \\in {1}] == x')
    expect(definition(loaded, 'f').body.kind).toBe('recursive function')
    expect(definition(loaded, 'g').body.kind).toBe('function')
    expect(refusal('f[x \\in f] == 1')).toContain('`f` is not defined')
  })

  test('what is bound is not known in the set it is bound in', () => {
    expect(refusal('F == \\E x \\in {1}, y \\in {x} : TRUE')).toContain('`x` is not defined')
    expect(refusal('F(x) == LET y == x IN y\nG == y')).toContain('`y` is not defined')
  })

  test('what is declared RECURSIVE has to be defined, as it is declared, with nothing but definitions between', () => {
    expect(refusal('RECURSIVE F(_)')).toContain('is declared RECURSIVE but never defined')
    expect(refusal('RECURSIVE F(_)\nF(x, y) == 1')).toContain(
      'has 2 parameters here and 1 where it is declared RECURSIVE',
    )
    expect(refusal('RECURSIVE F(_)\nF(G(_)) == 1')).toContain('cannot be an operator')
    expect(refusal('RECURSIVE F(_, _)\nF(G(_), x) == F(G, x)')).toBeUndefined()
    expect(refusal('RECURSIVE f\nG == LET f == 1 IN 2')).toContain('already')
    expect(refusal('RECURSIVE F(_)\nASSUME TRUE\nF(x) == F(x)')).toContain('only definitions may stand between')
    expect(refusal('RECURSIVE F(_)\nINSTANCE Naturals\nF(x) == F(x)')).toBeUndefined()
  })
})

describe('what is not defined', () => {
  test('names the nearest that is', () => {
    expect(
      refusal('VARIABLE counter\nInit == countre = 0'),
    ).toBe(`M.tla:3:9: \`countre\` is not defined; did you mean \`counter\`?
    3 | Init == countre = 0
      |         ^^^^^^^`)
  })

  test('names what the specification defines, rather than what is as near in a module of norn', () => {
    const text = "EXTENDS Naturals\nVARIABLE x\nNext == x' = x\nSpec == [][Nxt]_x"
    expect(refusal(text)).toContain('`Nxt` is not defined; did you mean `Next`?')
    expect(refusal('EXTENDS Naturals\nF == Nxt')).toContain('did you mean `Nat`?')
  })

  test.each([
    ['CONSTANTS Cat, Coat', 'Cot', 'Coat'],
    ['CONSTANTS Beat, Boot', 'Boat', 'Boot'],
  ])('of names that are equally near (%s), `%s` is likely %s', (constants, name, meant) => {
    expect(refusal(`${constants}\nF == ${name}`)).toContain(`did you mean \`${meant}\`?`)
  })

  test('names the module to extend', () => {
    expect(refusal('F == 1 + 2')).toContain('`+` is not defined: add `EXTENDS Naturals`, the module that defines it')
    expect(refusal('EXTENDS Naturals\nF == -1')).toContain('add `EXTENDS Integers`')
    expect(refusal('F == Len(<<>>)')).toContain('add `EXTENDS Sequences`')
  })

  test('what theorems state is looked at, and what is in their proofs is not', () => {
    expect(refusal('THEOREM T == nowhere = 1')).toContain('`nowhere` is not defined')
    expect(refusal('THEOREM TRUE\nPROOF\n<1>1. nowhere = 1\n<1>2. QED BY elsewhere')).toBeUndefined()
    expect(refusal('THEOREM T == ASSUME TRUE PROVE TRUE\nF == T')).toContain('ASSUME/PROVE')
  })
})

describe('arguments are what the operator takes', () => {
  test.each([
    ['F(a, b) == a\nG == F(1)', '`F` takes 2 arguments (M.tla:2:1), found 1'],
    ['F(a) == a\nG == F(1, 2)', '`F` takes 1 argument (M.tla:2:1), found 2'],
    ['F(a) == a\nG == F', '`F` takes 1 argument (M.tla:2:1), found none'],
    ['F == 1\nG == F(1)', '`F` takes no arguments (M.tla:2:1), found 1'],
    ['VARIABLE x\nG == x(1)', '`x` takes no arguments (M.tla:2:10), found 1'],
    ['CONSTANT F(_)\nG == F', '`F` takes 1 argument (M.tla:2:10), found none'],
    ['A(G(_)) == G(1)\nF == A(1)', 'the first argument of `A` is an operator of 1 argument, but this is a value'],
    ['A(G(_)) == G(1)\nB(x, y) == 1\nF == A(B)', 'and `B` takes 2 (M.tla:3:1)'],
    ['A(G(_)) == G(1)\nB(H(_)) == H(1)\nF == A(B)', '`B` takes an operator as argument'],
    ['A(G(_)) == G(1)\nF == A(LAMBDA x, y : x)', 'but this LAMBDA takes 2'],
    ['A(g) == g\nF == A(LAMBDA x : x)', 'the first argument of `A` is a value, but a LAMBDA is an operator'],
    ['EXTENDS Naturals\nA(g) == g\nF == A( + )', 'the first argument of `A` is a value, and `+` is an operator'],
    ['A(g) == g\nB(x) == x\nF == A(B)', '`B` takes 1 argument'],
  ])('%s', (text, message) => {
    expect(refusal(text)).toContain(message)
  })

  test('operators by symbol and built-in ones are given like those with names', () => {
    expect(refusal('A(G(_, _)) == G(1, 2)\nF == <<A(\\cup), A(=), A(/\\)>>')).toBeUndefined()
    expect(refusal('EXTENDS Naturals\nA(_ ++ _) == 1 ++ 2\nF == A( + )')).toBeUndefined()
    expect(refusal('A(G(_)) == G({1})\nF == A(SUBSET)')).toBeUndefined()
    const loaded = module('A(G(_, _)) == G(1, 2)\nF == A(\\cup)')
    expect(definition(loaded, 'F').body).toMatchObject({
      arguments: [{ kind: 'operator', parameters: [{}, {}], body: { kind: 'primitive', name: '\\cup' } }],
    })
  })
})

describe('`@`', () => {
  test('is what the innermost EXCEPT changes', () => {
    const loaded = module('F(f) == [f EXCEPT ![1] = [@ EXCEPT ![@] = @], ![2] = 3]')
    const { body } = definition(loaded, 'F')
    if (body.kind !== 'except') throw new Error('not an EXCEPT')
    const [outer, unused] = body.updates
    expect(unused!.self).toBeUndefined()
    const inner = outer!.value
    if (inner.kind !== 'except') throw new Error('not an EXCEPT')
    expect(inner.function).toMatchObject({ symbol: outer!.self })
    expect(inner.updates[0]!.path[0]).toMatchObject({ arguments: [{ symbol: outer!.self }] })
    expect(inner.updates[0]!.value).toMatchObject({ symbol: inner.updates[0]!.self })
  })

  test.each(['F == @', 'F(f) == [f EXCEPT ![@] = 1]', 'F(f) == [@ EXCEPT ![1] = 1]'])('means nothing in %s', (text) => {
    expect(refusal(text)).toContain('`@` is defined only in EXCEPT')
  })
})

test('the fields of a record differ', () => {
  expect(refusal('F == [a |-> 1, a |-> 2]')).toContain('M.tla:2:16: the field `a` is given twice')
  expect(refusal('F == [a : {1}, a : {2}]')).toContain('the field `a` is given twice')
})

test('numbers are read in their base', () => {
  const loaded = module('F == <<12, \\b101, \\o17, \\hff, \\HFF>>')
  expect(definition(loaded, 'F').body).toMatchObject({
    items: [12, 5, 15, 255, 255].map((value) => ({ kind: 'number', value })),
  })
})

test('what is nested too deep is refused with a place', () => {
  const sum = Array(2000).fill('1').join(' \\cup ')
  expect(refusal(`F == ${sum}`)).toMatch(/^M\.tla:2:/)
  expect(refusal(`F == ${Array(700).fill('{}').join(' \\cup ')}`)).toBeUndefined()
})

test('in another process too: what is resolved is a function of the texts alone', () => {
  const files = { 'M.tla': "---- MODULE M ----\nEXTENDS Naturals, Sequences\nVARIABLES b, a\nNext == a' = b + 1\n====" }
  const names = () => [...loadModule('M.tla', { files }).names.keys()]
  expect(names()).toEqual(names())
  expect(loadModule('M.tla', { files }).variables.map(({ name }) => name)).toEqual(['b', 'a'])
})

describe('what is wrong independently is told at once', () => {
  test('names, and what follows from them not at all', () => {
    expect(refusal('A == foo = 1\nB == A\nASSUME baz\nC(x) == B(x)')).toBe(`M.tla:2:6: \`foo\` is not defined
    2 | A == foo = 1
      |      ^^^
M.tla:4:8: \`baz\` is not defined
    4 | ASSUME baz
      |        ^^^
M.tla:5:9: \`B\` takes no arguments (M.tla:3:1), found 1; apply a function as \`B[…]\`
    5 | C(x) == B(x)
      |         ^^^^`)
  })

  test('levels', () => {
    expect(refusal("VARIABLE x\nA == x''\nB == A'\nC == [](x' = 1)")).toMatch(/^M\.tla:3:6:[\s\S]*\nM\.tla:5:9:/)
  })

  test('so many at most', () => {
    const text = Array.from({ length: 30 }, (_, at) => `A${at} == nowhere`).join('\n')
    expect(refusal(text)!.match(/is not defined/g)).toHaveLength(10)
  })
})
