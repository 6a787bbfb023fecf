/** Theorems. The verdicts are SANY's. */
import { describe, expect, test } from 'vitest'
import { definition, module, refusal } from './modules-in-memory.ts'

describe('a sequent', () => {
  test('declares symbols for what follows in it, and for nothing after it', () => {
    const sequent = 'THEOREM ASSUME NEW S, NEW x \\in S, NEW F(_), VARIABLE v, ACTION A PROVE F(x) = v /\\ A'
    expect(refusal(sequent)).toBeUndefined()
    expect(refusal(`${sequent}\nG == x`)).toContain('`x` is not defined')
    expect(refusal('THEOREM ASSUME NEW x, y PROVE TRUE')).toContain('`y` is not defined')
    expect(refusal('THEOREM ASSUME NEW x \\in x PROVE TRUE')).toContain('`x` is not defined')
    expect(refusal('x == 1\nTHEOREM ASSUME NEW x PROVE TRUE')).toContain('`x` is already defined')
  })

  test('has levels', () => {
    const text = (sort: string) => `THEOREM ASSUME NEW ${sort} p PROVE p'`
    expect(refusal(text('VARIABLE'))).toBeUndefined()
    expect(refusal(text('STATE'))).toBeUndefined()
    expect(refusal(text('ACTION'))).toContain('so it cannot be primed')
    expect(refusal(text('TEMPORAL'))).toContain('which cannot be primed')
    expect(refusal('VARIABLE v\nTHEOREM ASSUME NEW x \\in []v PROVE TRUE')).toContain(
      'the set of an assumed symbol can be at most an action, but this is a temporal formula',
    )
  })

  test('has labels where it has a name, and not below what a sequent within it declares', () => {
    expect(refusal('THEOREM T == ASSUME NEW x, L :: TRUE PROVE K :: x')).toBeUndefined()
    expect(refusal('THEOREM T == ASSUME NEW x, L(x) :: TRUE PROVE TRUE')).toContain('not a parameter of the label')
    expect(refusal('THEOREM ASSUME L :: TRUE PROVE TRUE')).toContain('a label is not allowed outside of definitions')
    expect(refusal('THEOREM T == ASSUME ASSUME L :: TRUE PROVE TRUE PROVE TRUE')).toBeUndefined()
    expect(refusal('THEOREM T == ASSUME ASSUME NEW x, L :: TRUE PROVE TRUE PROVE TRUE')).toContain(
      'a label is not allowed',
    )
  })
})

test('a theorem has levels, and the labels that its name leads to', () => {
  expect(refusal("VARIABLE v\nTHEOREM (v')' = v")).toContain('so it cannot be primed')
  expect(refusal('THEOREM L :: TRUE')).toContain('a label is not allowed outside of definitions')
  expect(definition(module('THEOREM T == L :: 1\nF == T!L'), 'F').body).toMatchObject({ symbol: { name: 'T!L' } })
})

test('all that is wrong in theorems is told', () => {
  expect(refusal('THEOREM here = 1\nTHEOREM there = 1')).toMatch(/`here` is not defined[\s\S]*`there` is not defined/)
})

test('what a proof, a USE or a HIDE names need not be known', () => {
  expect(refusal('THEOREM TRUE BY nowhere DEF Nothing')).toBeUndefined()
  expect(refusal('USE nowhere DEF Nothing\nHIDE nowhere\nF == 1')).toBeUndefined()
})
