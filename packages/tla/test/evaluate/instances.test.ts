/** Instances: substitutions, parameters, nesting, and what primes and LETs make of them. */
import { expect, test } from 'vitest'
import { initialStates, machineOf, successors, valueIn } from './helper.ts'

const COUNTER = `---- MODULE Counter ----
EXTENDS Naturals
CONSTANT Step
VARIABLE n
Init == n = 0
Up == n' = n + Step
Double == 2 * n
Changed == n' # n
====`

test('a variable of the instance is one of the module', () => {
  const machine = machineOf(
    'INIT Init NEXT Next',
    `---- MODULE M ----
VARIABLES a, b
A == INSTANCE Counter WITH n <- a, Step <- 1
B == INSTANCE Counter WITH n <- b, Step <- 10
Init == A!Init /\\ B!Init
Next == (A!Up /\\ UNCHANGED b) \\/ (B!Up /\\ B!Changed /\\ a' = B!Double')
====`,
    COUNTER,
  )
  expect(initialStates(machine)).toEqual(['0 0'])
  expect(successors(machine)).toEqual(['1 0', '20 10'])
})

test('a substitution is evaluated in each state anew, under primes in the successor', () => {
  const machine = machineOf(
    'INIT Init NEXT Next',
    `---- MODULE M ----
EXTENDS Naturals
VARIABLE x
C == INSTANCE Counter WITH n <- x * 100, Step <- 100
Init == x \\in {1, 2}
Next == x' = x + 1 /\\ C!Up
====`,
    COUNTER,
  )
  expect(successors(machine)).toEqual(['2', '3'])
})

test('parameters of an instance, also where it stands in a quantifier or a LET', () => {
  const machine = machineOf(
    'INIT Init NEXT Next',
    `---- MODULE M ----
EXTENDS Naturals
VARIABLE x
C(s, v) == INSTANCE Counter WITH n <- v, Step <- s
Init == x = 1
Next == \\E k \\in {1, 2} : LET D == INSTANCE Counter WITH n <- x, Step <- k * 10 IN D!Up
Doubles == {C(1, i)!Double : i \\in 1..3}
InLet == {LET D == INSTANCE Counter WITH n <- i, Step <- 0 IN D!Double + D!Double : i \\in 1..2}
====`,
    COUNTER,
  )
  expect(successors(machine)).toEqual(['11', '21'])
  expect(valueIn(machine, 'Doubles')).toBe('{2, 4, 6}')
  expect(valueIn(machine, 'InLet')).toBe('{4, 8}')
})

test('an instance without WITH takes what has the same name', () => {
  const machine = machineOf(
    'INIT Init NEXT Up CONSTANT Step = 7',
    `---- MODULE M ----
EXTENDS Naturals
CONSTANT Step
VARIABLE n
INSTANCE Counter
====`,
    COUNTER,
  )
  expect(successors(machine)).toEqual(['7'])
})

test('instances in instances', () => {
  const machine = machineOf(
    'INIT Init NEXT Next',
    `---- MODULE M ----
VARIABLE z
O == INSTANCE Outer WITH m <- z
Init == O!I!Init
Next == O!I!Up /\\ O!Grows
====`,
    `---- MODULE Outer ----
EXTENDS Naturals
VARIABLE m
I == INSTANCE Counter WITH n <- m, Step <- 3
Grows == I!Double' > I!Double
====`,
    COUNTER,
  )
  expect(successors(machine)).toEqual(['3'])
})

test('an operator may be substituted for a constant operator', () => {
  const machine = machineOf(
    'INIT Init NEXT Next',
    `---- MODULE M ----
EXTENDS Naturals
VARIABLE x
Plus(a, b) == a + b + x
F == INSTANCE Folding WITH Op <- Plus
G == INSTANCE Folding WITH Op <- LAMBDA a, b : a * b
Init == x = 1
Next == x' = F!Three(10) + G!Three(2)
====`,
    `---- MODULE Folding ----
CONSTANT Op(_, _)
Three(a) == Op(a, Op(a, a))
====`,
  )
  expect(successors(machine)).toEqual(['40'])
})
