/**
 * Why a formula is false or an action is not possible: the conjunct, and the values of what it
 * compares.
 */
import { expect, test } from 'vitest'
import type { Refusal } from '../../src/evaluate/machine.ts'
import { machineOf } from './helper.ts'

const MODULE = `---- MODULE M ----
EXTENDS Naturals
CONSTANT P
VARIABLES pc, n
Idle(p) == pc[p] = "idle"
Enter(p) == /\\ Idle(p)
            /\\ n < 2
            /\\ pc' = [pc EXCEPT ![p] = "in"]
            /\\ n' = n + 1
Either(p) == \\/ n > 100 /\\ UNCHANGED <<pc, n>>
             \\/ n < 10 /\\ pc[p] = "out" /\\ UNCHANGED <<pc, n>>
Pick == \\E m \\in {k \\in 1..3 : k > 5} : n' = m /\\ UNCHANGED pc
Safe == \\A p \\in P : pc[p] = "in" => n > 0
Limited == LET most == 3 IN n <= most
Both == Safe /\\ Limited
Init == pc = [p \\in P |-> "idle"] /\\ n = 0
Next == \\E p \\in P : Enter(p)
====`

const machine = machineOf('INIT Init NEXT Next CONSTANT P = {p1, p2}', MODULE)
const { arena } = machine
const p1 = arena.modelValue('p1')

function at(pc: string, n: number): void {
  const keys = arena.set([p1, arena.modelValue('p2')])
  machine.current[0] = arena.function(keys, [arena.string(pc), arena.string('idle')])
  machine.current[1] = n
}

function text(refusal: Refusal | undefined): string {
  if (refusal === undefined) return 'possible'
  return [
    `${refusal.at.line}: ${refusal.conjunct}`,
    ...refusal.values.map(([part, value]) => `${part} is ${value}`),
  ].join('; ')
}

test('an action: the condition that is false on the path that comes furthest', () => {
  at('idle', 0)
  expect(text(machine.action('Enter')!.explain([p1]))).toBe('possible')
  at('in', 0)
  expect(text(machine.action('Enter')!.explain([p1]))).toBe('5: pc[p] = "idle"; pc[p] is "in"; p is p1')
  at('idle', 2)
  expect(text(machine.action('Enter')!.explain([p1]))).toBe('7: n < 2; n is 2')
  at('idle', 5)
  expect(text(machine.action('Either')!.explain([p1]))).toBe('11: pc[p] = "out"; pc[p] is "idle"; p is p1')
  expect(text(machine.action('Pick')!.explain([]))).toContain('12: \\E m \\in {k \\in 1..3 : k > 5}')
})

test('an action whose outcome was seen to differ', () => {
  at('idle', 0)
  const enter = machine.action('Enter')!
  expect(text(enter.explain([p1], (variable, value) => variable !== 1 || value === 7))).toBe(
    "9: n' = n + 1; n' is 1; n + 1 is 1",
  )
})

test('a formula: through definitions and quantifiers to the comparison', () => {
  at('in', 0)
  expect(text(machine.formula('Both', 'test').explain())).toBe('13: n > 0; n is 0')
  at('in', 9)
  expect(text(machine.formula('Both', 'test').explain())).toBe('14: n <= most; n is 9')
  at('idle', 1)
  expect(machine.formula('Both', 'test').explain()).toBeUndefined()
})
