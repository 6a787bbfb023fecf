/**
 * INSTANCE: what is substituted, what is reached through it, and what is refused. The verdicts are
 * SANY's.
 */
import { describe, expect, test } from 'vitest'
import type { Term } from '../../src/semantics/term.ts'
import { definition, module, refusal } from './modules-in-memory.ts'

type Reference = Extract<Term, { kind: 'reference' }>

function bodyOf(text: string, others: Readonly<Record<string, string>>): Reference {
  return definition(module(text, others), 'F').body as Reference
}

describe('a reference says through which instances it goes', () => {
  const A = 'CONSTANT N\nFoo == N\nBar(x) == N'

  test('of one that is named, one with parameters, and one without a name', () => {
    expect(bodyOf('I == INSTANCE A WITH N <- 1\nF == I!Foo', { A }).through).toMatchObject([
      { instance: { name: 'I' }, arguments: [] },
    ])
    expect(bodyOf('I(n) == INSTANCE A WITH N <- n\nF == I(7)!Bar(8)', { A })).toMatchObject({
      symbol: { name: 'Bar' },
      through: [{ instance: { name: 'I' }, arguments: [{ value: 7 }] }],
      arguments: [{ value: 8 }],
    })
    expect(bodyOf('INSTANCE A WITH N <- 1\nF == Foo', { A }).through).toMatchObject([{ instance: { name: undefined } }])
  })

  test('of instances of instances, outermost first', () => {
    const reference = bodyOf('I == INSTANCE B WITH y <- 1\nF == I!J!Foo', {
      B: 'CONSTANT y\nJ == INSTANCE A WITH N <- y',
      A,
    })
    expect(reference.through.map(({ instance }) => instance.name)).toEqual(['I', 'J'])
    expect(reference.symbol).toMatchObject({ name: 'Foo', module: 'A' })
  })

  test('what comes by an INSTANCE without a name in the module goes through that too', () => {
    const reference = bodyOf('I == INSTANCE B WITH y <- 1\nF == I!Foo', {
      B: 'CONSTANT y\nINSTANCE A WITH N <- y',
      A,
    })
    expect(reference.through.map(({ instance }) => instance.module.name)).toEqual(['B', 'A'])
  })

  test('what depends on nothing that is substituted is the same through all of them', () => {
    expect(
      bodyOf('EXTENDS Naturals\nI == INSTANCE B WITH y <- 1\nF == I!+(1, 2)', { B: 'EXTENDS Naturals\nCONSTANT y' })
        .through,
    ).toEqual([])
  })

  test('of a LET', () => {
    const loaded = module('F(a) == LET I == INSTANCE A WITH N <- a IN I!Foo', { A })
    const body = definition(loaded, 'F').body as Extract<Term, { kind: 'let' }>
    expect(body.body).toMatchObject({ through: [{ instance: { name: 'I' } }] })
  })
})

describe('what is not substituted by WITH is the symbol of the same name', () => {
  test('whatever it is: a variable, an operator, a parameter of the instance', () => {
    expect(refusal('VARIABLE y\nI == INSTANCE A', { A: 'VARIABLE y' })).toBeUndefined()
    expect(refusal('VARIABLE z\ny == z\nI == INSTANCE A', { A: "VARIABLE y\nFoo == y'" })).toBeUndefined()
    expect(refusal('I(y) == INSTANCE A', { A: 'CONSTANT y' })).toBeUndefined()
    expect(refusal('y(a, b) == a\nI == INSTANCE A', { A: 'CONSTANT y(_, _)' })).toBeUndefined()
    expect(refusal('LOCAL y == 3\nI == INSTANCE A', { A: 'CONSTANT y' })).toBeUndefined()
  })

  test('if there is one before, of the same arguments', () => {
    const A = 'CONSTANT N'
    expect(refusal('I == INSTANCE A', { A })).toBe(
      'M.tla:2:15: no substitution for the constant `N` of module `A` (A.tla:2:10): ' +
        'add `WITH N <- …`, or declare `N` here too\n' +
        '    2 | I == INSTANCE A\n      |               ^',
    )
    expect(refusal('I == INSTANCE A\nN == 1', { A })).toContain('no substitution for')
    expect(refusal('N(x) == 1\nI == INSTANCE A', { A })).toContain('`N` takes 1 argument here')
  })

  test('a submodule shares the symbols around it', () => {
    const loaded = module(
      'VARIABLE x\n---- MODULE Inner ----\nVARIABLE y\nFoo == x = y\n====\nI == INSTANCE Inner WITH y <- x\nF == I!Foo',
    )
    const { symbol, through } = definition(loaded, 'F').body as Reference
    expect([...through[0]!.instance.substitutions.keys()].map(({ name }) => name)).toEqual(['y'])
    expect(symbol).toMatchObject({ body: { arguments: [{ symbol: loaded.variables[0] }, {}] } })
  })
})

describe('refused', () => {
  test.each([
    ['I == INSTANCE A WITH H <- 1', { A: 'G == 2' }, 'declares no constant or variable `H`'],
    ['I == INSTANCE A WITH Nods <- 1', { A: 'CONSTANT Nodes' }, 'did you mean `Nodes`?'],
    ['I == INSTANCE A WITH G <- 1', { A: 'G == 2' }, 'declares no constant or variable `G`'],
    ['I == INSTANCE A WITH N <- 1, N <- 2', { A: 'CONSTANT N' }, '`N` is substituted twice'],
    [
      'I == INSTANCE A WITH F <- 1',
      { A: 'CONSTANT F(_)' },
      '`F` stands for an operator of 1 argument, but this is a value',
    ],
    ['P(a, b) == a\nI == INSTANCE A WITH F <- P', { A: 'CONSTANT F(_)' }, 'and `P` takes 2'],
    ['P(a) == a\nI == INSTANCE A WITH F <- P', { A: 'CONSTANT F' }, '`P` takes 1 argument'],
    ['I == INSTANCE A\nF == I', { A: 'G == 2' }, '`I` is an instance of module `A`, not a value: write `I!Name`'],
    [
      'I == INSTANCE A\nF == I!Gee',
      { A: 'Geee == 2' },
      'module `A`, of which `I` is an instance, defines no `Gee`; did you mean `Geee`?',
    ],
    ['I == INSTANCE A\nF == I!G', { A: 'LOCAL G == 2' }, 'defines no `G`'],
    ['I == INSTANCE A WITH N <- 1\nF == I!N', { A: 'CONSTANT N' }, 'defines no `N`'],
    ['I(n) == INSTANCE A WITH N <- n\nF == I!G', { A: 'CONSTANT N\nG == N' }, '`I` takes 1 argument'],
    ['I == INSTANCE A\nF == I!J!H', { A: 'LOCAL J == INSTANCE B', B: 'H == 1' }, 'defines no `J`'],
    ['I == INSTANCE A\nF == I!H', { A: 'LOCAL INSTANCE B', B: 'H == 1' }, 'defines no `H`'],
    ['EXTENDS A\nF == G', { A: 'LOCAL INSTANCE B', B: 'G == 1' }, '`G` is not defined'],
    ['---- MODULE Inner ----\nFoo == 1\n====\nF == Foo', {}, '`Foo` is not defined'],
    ["P(a) == a'\nI == INSTANCE A WITH F <- P", { A: 'CONSTANT F(_)' }, 'must give equal values for equal arguments'],
  ])('%s', (text, others, message) => {
    expect(refusal(text, others as unknown as Record<string, string>)).toContain(message)
  })
})
