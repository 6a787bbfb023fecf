/** `A \cdot B`, wherever an action is evaluated. */
import { expect, test } from 'vitest'
import { canonical } from '../../src/values/canonical.ts'
import { machineOf, successors, valueIn } from './helper.ts'

const DEFINITIONS = `
To(n) == x' = n /\\ UNCHANGED y
Add(n) == x' = x + n /\\ UNCHANGED y
Only(n) == x' = n
Some(S) == \\E n \\in S : x' = x + n /\\ UNCHANGED y
`

function machineFor(next: string, more = '') {
  const text = `---- MODULE M ----
EXTENDS Integers
VARIABLES x, y
${DEFINITIONS}
Init == x = 0 /\\ y = 5
Next == ${next}
====`
  return machineOf(`INIT Init NEXT Next ${more}`, text)
}

const step = (next: string) => successors(machineFor(next))

/** Whether a step from x = 0, y = 5 is one of an action. */
function isStep(action: string, x: number, y: number): string | undefined {
  const machine = machineFor('TRUE')
  machine.current[0] = 0
  machine.current[1] = 5
  machine.primed[0] = x
  machine.primed[1] = y
  return valueIn(machine, action).split('\n')[0]
}

test('each way through a state between is a way', () => {
  expect(step('Some({1, 2}) \\cdot Some({3, 4}) \\cdot Add(5)')).toEqual(['9 5', '10 5', '10 5', '11 5'])
  expect(step('Some({1, 2}) \\cdot (Some({3, 4}) \\cdot Add(5))')).toEqual(['9 5', '10 5', '10 5', '11 5'])
  expect(step('Some({1}) \\cdot (x = 2 /\\ Add(1))')).toEqual([])
})

test('quantifiers, conjuncts before and conjuncts after', () => {
  expect(step('\\E n \\in {1, 2} : To(n) \\cdot Add(n)')).toEqual(['2 5', '4 5'])
  expect(step("x' \\in {1, 2, 3} /\\ (Add(1) \\cdot Add(2))")).toEqual(['3 5'])
  expect(step("(Add(1) \\cdot Add(2)) /\\ x' \\in {1, 2}")).toEqual([])
  expect(step("\\A n \\in {1, 2} : To(n) \\cdot (x' = 7 /\\ y' = x + 1 - n)")).toEqual(['7 1'])
})

test('what the first leaves open is asked for by nobody', () => {
  expect(step('UNCHANGED y /\\ \\E n \\in {1, 2} : Only(n) \\cdot Only(n + 1)')).toEqual(['2 5', '3 5'])
  expect(step('\\E n \\in {1, 2} : (Only(n) \\cdot Only(n + 1)) /\\ UNCHANGED y')).toEqual(['2 5', '3 5'])
  expect(step('UNCHANGED y /\\ (Only(1) \\cdot Add(3))')).toEqual(['4 5'])
  expect(() => step('Only(1) \\cdot Add(3)')).toThrow("y' is used before it has a value")
})

test('what the second says nothing of stays as it is known to become', () => {
  expect(step("UNCHANGED y /\\ ((Only(1) /\\ y' = 6) \\cdot Only(2))")).toEqual([])
  expect(step("UNCHANGED y /\\ ((Only(1) /\\ y' = 6) \\cdot (Only(2) /\\ y = 6))")).toEqual(['2 5'])
})

test('what the first leaves open is as it was before, if it has its next value already', () => {
  expect(step("y' = 6 /\\ (Only(1) \\cdot (x' = x + y))")).toEqual(['6 6'])
  expect(step("LET i == y + 10 IN y' = 6 /\\ (Only(i) \\cdot Only(x + i))")).toEqual(['30 6'])
  expect(step("y' = 6 /\\ (Only(y) \\cdot Only(x + y) \\cdot Only(x + y))")).toEqual(['15 6'])
  expect(step("y' = 6 /\\ (Only(y) \\cdot (Only(x + y) \\cdot Only(x + y)))")).toEqual(['15 6'])
  expect(step("y' = 6 /\\ (Only(1) \\cdot Add(3))")).toEqual(['4 6'])
  expect(() => step("(Only(1) \\cdot (x' = x + y)) /\\ y' = 6")).toThrow("y' is used before it has a value")
})

test('a known step is one of a composition or is not', () => {
  expect([isStep('Some({1, 2}) \\cdot Some({3, 4})', 5, 5), isStep('Some({1, 2}) \\cdot Some({3, 4})', 7, 5)]).toEqual([
    'TRUE',
    'FALSE',
  ])
  expect(isStep('[Add(1) \\cdot Add(1)]_<<x, y>>', 2, 6)).toBe('FALSE')
  expect(isStep('~(Only(1) \\cdot Only(2))', 2, 6)).toBe('FALSE')
})

test('ENABLED, and a composition where a next state is not known yet', () => {
  expect(step("ENABLED (Add(1) \\cdot (x = 1 /\\ Add(1))) /\\ x' = 1 /\\ y' = 1")).toEqual(['1 1'])
  expect(step("ENABLED (Add(1) \\cdot (x = 2 /\\ Add(1))) /\\ x' = 1 /\\ y' = 1")).toEqual([])
  expect(() => step("~(Add(1) \\cdot Add(1)) /\\ x' = 1 /\\ y' = 1")).toThrow("x' is used before it has a value")
})

test('a recursive action composed with itself is refused', () => {
  const text = `---- MODULE M ----
EXTENDS Integers
VARIABLES x, y
RECURSIVE Times(_)
Times(n) == IF n = 0 THEN UNCHANGED <<x, y>> ELSE (x' = x + n /\\ y' = y) \\cdot Times(n - 1)
Init == x = 0 /\\ y = 5
Next == Times(2)
====`
  expect(() => successors(machineOf('INIT Init NEXT Next', text))).toThrow('nested too deeply')
})

test('instantiation and composition do not distribute', () => {
  const low = `---- MODULE Low ----
EXTENDS Naturals
VARIABLES x, y
A == x' = x /\\ y' = x + 1
B == x # y /\\ x' = x /\\ y' = x
Both == A \\cdot B
====`
  const high = (next: string) => `---- MODULE M ----
VARIABLE z
L == INSTANCE Low WITH x <- z, y <- z
Init == z = 1
Next == ${next}
====`
  const of = (next: string) => successors(machineOf('INIT Init NEXT Next', high(next), low))
  expect(of('L!Both')).toEqual(['1'])
  expect(of('L!A \\cdot L!B')).toEqual([])
  expect(of("z' \\in {0, 1, 2} /\\ L!Both")).toEqual(['1'])
})

test('a composition with a name can be followed and explained', () => {
  const machine = machineFor('TRUE')
  const named = machineOf(
    'INIT Init NEXT Next',
    `---- MODULE M ----
EXTENDS Integers
VARIABLES x, y
Init == x = 0 /\\ y = 5
Move(n) == (x' = n /\\ y' = y) \\cdot (x < 3 /\\ x' = x + 1 /\\ y' = x)
Next == \\E n \\in 1..5 : Move(n)
====`,
  )
  expect(machine.variables).toEqual(named.variables)
  named.current[0] = 0
  named.current[1] = 5
  const move = named.action('Move')!
  const reached: string[] = []
  move.step([canonical(2)], () => reached.push(named.primed.join(' ')))
  expect(reached).toEqual(['3 2'])
  expect(move.explain([canonical(4)])).toMatchObject({ conjunct: 'x < 3', values: [['x', '4']] })
  // A trace that saw x become 4 is about the step as a whole, not about the state between.
  expect(move.explain([canonical(2)], (variable, value) => variable !== 0 || value === 4)).toMatchObject({
    conjunct: "x' = x + 1",
  })
  expect(move.explain([canonical(2)], (variable, value) => variable !== 0 || value === 3)).toBeUndefined()
})
