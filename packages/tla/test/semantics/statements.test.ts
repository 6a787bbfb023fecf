/** Theorems, and what USE and HIDE name. The verdicts are SANY's. */
import { describe, expect, test } from 'vitest'
import { definition, module, refusal } from './modules-in-memory.ts'

describe('a sequent', () => {
  test('declares symbols for what follows in it, and for nothing after it', () => {
    const sequent = 'THEOREM ASSUME NEW S, NEW x \\in S, NEW F(_), VARIABLE v, ACTION A PROVE F(x) = v /\\ A'
    expect(refusal(sequent)).toBeUndefined()
    expect(refusal(`${sequent}\nG == x`)).toContain('`x` is not defined')
    expect(refusal('THEOREM ASSUME NEW x, y PROVE TRUE')).toContain('`y` is not defined')
    expect(refusal('THEOREM ASSUME NEW x \\in x PROVE TRUE')).toContain('`x` is not defined')
    expect(refusal('x == 1\nTHEOREM ASSUME NEW x PROVE TRUE')).toContain('`x` is defined already')
  })

  test('has levels', () => {
    const text = (sort: string) => `THEOREM ASSUME NEW ${sort} p PROVE p'`
    expect(refusal(text('VARIABLE'))).toBeUndefined()
    expect(refusal(text('STATE'))).toBeUndefined()
    expect(refusal(text('ACTION'))).toContain('so it cannot be primed')
    expect(refusal(text('TEMPORAL'))).toContain('which cannot be primed')
    expect(refusal('VARIABLE v\nTHEOREM ASSUME NEW x \\in []v PROVE TRUE')).toContain(
      'the set of what is assumed can be at most an action, and this is a temporal formula',
    )
  })

  test('has labels where it has a name, and not below what a sequent within it declares', () => {
    expect(refusal('THEOREM T == ASSUME NEW x, L :: TRUE PROVE K :: x')).toBeUndefined()
    expect(refusal('THEOREM T == ASSUME NEW x, L(x) :: TRUE PROVE TRUE')).toContain('no parameter of it')
    expect(refusal('THEOREM ASSUME L :: TRUE PROVE TRUE')).toContain('a label cannot stand outside of definitions')
    expect(refusal('THEOREM T == ASSUME ASSUME L :: TRUE PROVE TRUE PROVE TRUE')).toBeUndefined()
    expect(refusal('THEOREM T == ASSUME ASSUME NEW x, L :: TRUE PROVE TRUE PROVE TRUE')).toContain('a label cannot')
  })
})

test('a theorem has levels, and the labels that its name leads to', () => {
  expect(refusal("VARIABLE v\nTHEOREM (v')' = v")).toContain('so it cannot be primed')
  expect(refusal('THEOREM L :: TRUE')).toContain('a label cannot stand outside of definitions')
  expect(definition(module('THEOREM T == L :: 1\nF == T!L'), 'F').body).toMatchObject({ symbol: { name: 'T!L' } })
})

test('all that is wrong in theorems is told', () => {
  expect(refusal('THEOREM here = 1\nTHEOREM there = 1')).toMatch(/`here` is not defined[\s\S]*`there` is not defined/)
})

const FACTS =
  'EXTENDS Naturals\nCONSTANT C\nVARIABLE v\nd(x) == x\nASSUME A == TRUE\nTHEOREM T == ASSUME NEW x PROVE x\n'

test.each([
  ['USE T, A, 1 + 1 = 2 DEF d, +, Nat'],
  ['USE d(1), MODULE Naturals, MODULE M'],
  ['USE DEF T, MODULE Naturals, \\in'],
  ['HIDE A, (T), MODULE Naturals DEF d'],
  ['---- MODULE Inner ----\ne == 1\nTHEOREM U == TRUE\n====\nI == INSTANCE Inner\nUSE I!U DEF I!e, I\nHIDE I!U'],
])('facts of %j', (text) => {
  expect(refusal(`${FACTS}${text}`)).toBeUndefined()
})

test.each([
  ['USE nowhere', '`nowhere` is not defined'],
  ['USE DEF nowhere', '`nowhere` is not defined'],
  ['USE DEF \\prec', '`\\prec` is not defined'],
  ['USE d', '`d` takes 1 argument'],
  ['USE DEF d(1)', 'the name of a definition alone'],
  ['USE DEF C', '`C` is a constant (M.tla:3:10), and `DEF` names definitions'],
  ['USE DEF v', '`v` is a variable'],
  ['USE MODULE Sequences', 'no module `Sequences` is extended or instantiated here'],
  ['HIDE d(1)', 'HIDE takes the names of theorems and assumptions'],
  ['HIDE TRUE', 'HIDE takes the names of theorems and assumptions'],
  ['RECURSIVE r(_)\nUSE A\nr(x) == x', 'only definitions may stand between the RECURSIVE declaration'],
])('no facts of %j', (text, message) => {
  expect(refusal(`${FACTS}${text}`)).toContain(message)
})

test('a fact may be a theorem of a module of the proof system, whose theorems norn does not have', () => {
  expect(refusal('EXTENDS FiniteSetTheorems\nUSE FS_Interval')).toBeUndefined()
  expect(refusal('EXTENDS FiniteSets\nUSE FS_Interval')).toContain('`FS_Interval` is not defined')
})
