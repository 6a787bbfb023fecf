/** What TLCGet gives where: the figures that TLC (of April 2026) prints for the same specifications. */
import { describe, expect, test } from 'vitest'
import { checkSpecification } from '../../src/index.ts'

const SAID = 'Said(s) == PrintT(<<s, x, TLCGet("level"), TLCGet("generated"), TLCGet("distinct"), TLCGet("queue")>>)'

/** The lines that a specification prints, and its result. */
function checked(definitions: string, configuration: string, options = {}) {
  const printed: string[] = []
  const module = `---- MODULE Statistics ----\nEXTENDS Naturals, TLC\nVARIABLE x\n${SAID}\n${definitions}\n====`
  const result = checkSpecification(
    { module, configuration: `INIT Init NEXT Next CHECK_DEADLOCK FALSE ${configuration}` },
    { ...options, print: (line) => void printed.push(line) },
  )
  return { ...result, printed }
}

const STEPS = String.raw`Init == PrintT(<<"Init", TLCGet("level")>>) /\ x = 0
Next == x < 2 /\ x' = x + 1 /\ PrintT(<<"Next", x, TLCGet("level"), TLCGet("level")'>>)
State == Said("state")
Step == PrintT(<<"step", x, x', TLCGet("level"), TLCGet("level")'>>)
Steps == [][Step]_x
Always == []Said("always")
View == IF Said("view") THEN x ELSE x
Can == ENABLED (x' = 7 /\ PrintT(<<"enabled", TLCGet("level"), TLCGet("level")'>>))
Shallow == TLCGet("level") < 3
Post == PrintT(<<"post", TLCGet("level")>>)
ASSUME PrintT(<<"assume", TLCGet("level")>>)`

describe('the level', () => {
  test('in a state is that of the state, and in a step that of its first state', () => {
    const { printed } = checked(
      STEPS,
      'CONSTRAINT State ACTION_CONSTRAINT Step INVARIANT State PROPERTY Steps Always POSTCONDITION Post',
    )
    expect(printed).toEqual([
      '<<"assume", 0>>',
      '<<"Init", 0>>',
      '<<"state", 0, 1, 1, 0, 0>>',
      '<<"state", 0, 1, 1, 1, 1>>',
      '<<"always", 0, 1, 1, 1, 1>>',
      '<<"Next", 0, 1, 2>>',
      '<<"state", 1, 2, 2, 1, 0>>',
      '<<"step", 0, 1, 1, 2>>',
      '<<"state", 1, 2, 2, 2, 0>>',
      '<<"always", 1, 2, 2, 2, 0>>',
      '<<"step", 0, 1, 1, 2>>',
      '<<"Next", 1, 2, 3>>',
      '<<"state", 2, 3, 3, 2, 0>>',
      '<<"step", 1, 2, 2, 3>>',
      '<<"state", 2, 3, 3, 3, 0>>',
      '<<"always", 2, 3, 3, 3, 0>>',
      '<<"step", 1, 2, 2, 3>>',
      '<<"post", 0>>',
    ])
  })

  test('is the same without constraints, in a view, and in ENABLED', () => {
    expect(checked(STEPS, 'VIEW View INVARIANT Can').printed).toEqual([
      '<<"assume", 0>>',
      '<<"Init", 0>>',
      '<<"view", 0, 1, 1, 0, 0>>',
      '<<"enabled", 1, 2>>',
      '<<"Next", 0, 1, 2>>',
      '<<"view", 1, 2, 2, 1, 0>>',
      '<<"enabled", 2, 3>>',
      '<<"Next", 1, 2, 3>>',
      '<<"view", 2, 3, 3, 2, 0>>',
      '<<"enabled", 3, 4>>',
    ])
  })

  test('bounds the behaviours of a check, and of a simulation', () => {
    expect(checked(STEPS, 'CONSTRAINT Shallow')).toMatchObject({ result: 'passed', distinct: 2 })
    expect(checked(STEPS, 'INVARIANT Shallow').behaviour).toHaveLength(3)
    expect(checked(STEPS, 'INVARIANT Shallow', { simulate: 1 }).behaviour).toHaveLength(3)
  })

  test('is in a simulation what it is in a check', () => {
    const { printed } = checked(STEPS, 'INVARIANT State ACTION_CONSTRAINT Step POSTCONDITION Post', { simulate: 1 })
    const withoutCounts = printed.map((line) => line.replace(/("state", \d+, \d+), .*>>/, '$1>>'))
    expect(withoutCounts).toEqual([
      '<<"assume", 0>>',
      '<<"Init", 0>>',
      '<<"state", 0, 1>>',
      '<<"Next", 0, 1, 2>>',
      '<<"state", 1, 2>>',
      '<<"step", 0, 1, 1, 2>>',
      '<<"Next", 1, 2, 3>>',
      '<<"state", 2, 3>>',
      '<<"step", 1, 2, 2, 3>>',
      '<<"post", 0>>',
    ])
  })

  test('counts on in an alias, but for the successor of the last state, which is that state', () => {
    const alias = `Alias == [here |-> TLCGet("level"), next |-> TLCGet("level")']`
    const { behaviour } = checked(`${STEPS}\n${alias}`, 'INVARIANT Shallow ALIAS Alias')
    expect(behaviour?.map((step) => step.alias)).toEqual([
      { here: 1, next: 2 },
      { here: 2, next: 3 },
      { here: 3, next: 3 },
    ])
  })
})

test('an invariant sees the counts up to its state, where a step has several successors', () => {
  const definitions = String.raw`Init == x \in 0..1
Next == x < 2 /\ x' \in {x + 1, x + 3}
Inv == Said("inv")`
  expect(checked(definitions, 'INVARIANT Inv').printed).toEqual([
    '<<"inv", 0, 1, 1, 1, 1>>',
    '<<"inv", 1, 1, 2, 2, 2>>',
    '<<"inv", 3, 2, 4, 3, 1>>',
    '<<"inv", 2, 2, 5, 4, 1>>',
    '<<"inv", 4, 2, 6, 5, 2>>',
  ])
})

test('a state that a constraint excludes is not in the queue', () => {
  const definitions = String.raw`Init == x \in 0..2
Next == x < 4 /\ x' = x + 1
Con == x # 1
Inv == Said("inv")`
  expect(checked(definitions, 'INVARIANT Inv CONSTRAINT Con').printed).toEqual([
    '<<"inv", 0, 1, 1, 1, 1>>',
    '<<"inv", 1, 1, 2, 1, 1>>',
    '<<"inv", 2, 1, 3, 2, 2>>',
    '<<"inv", 1, 2, 4, 2, 1>>',
    '<<"inv", 3, 2, 5, 3, 0>>',
    '<<"inv", 4, 3, 6, 4, 0>>',
  ])
})

test('a false invariant prints once', () => {
  const definitions = String.raw`Init == x = 0
Next == x' = x + 1
Inv == PrintT(x) /\ x < 1`
  expect(checked(definitions, 'INVARIANT Inv')).toMatchObject({ result: 'invariant', printed: ['0', '1'] })
})

test('statistics have the fields of TLC', () => {
  const definitions = String.raw`Init == x \in 0..1
Next == UNCHANGED x
Post == PrintT([TLCGet("stats") EXCEPT !.duration = 0])`
  expect(checked(definitions, 'POSTCONDITION Post').printed.join(' ').replace(/\s+/g, ' ')).toBe(
    '[ diameter |-> 1, distinct |-> 2, duration |-> 0, generated |-> 4, initial |-> 2, queue |-> 0, worker |-> 0 ]',
  )
})
