/**
 * Functions whose bodies are actions: applied, they are taken as actions. The numbers of successors
 * are TLC's.
 */
import { expect, test } from 'vitest'
import { initialStates, machineOf, successors, told } from './helper.ts'

const DEFINITIONS = `
Step[n \\in {1, 2, 3}] == x' = n /\\ y' \\in {n, n + 1}
Pair[a \\in {1, 2}, b \\in {3, 4}] == x' = a /\\ y' = b
Parts[<<a, b>> \\in {<<1, 2>>, <<3, 4>>}] == x' = a /\\ y' = b
Down[n \\in 0..2] == IF n = 0 THEN x' = 0 /\\ UNCHANGED y ELSE Down[n - 1] \\/ (x' = n /\\ y' = n)
Steps(k) == [i \\in 1..2 |-> x' = i + k /\\ y' = 8]
Table == [i \\in {1, 2} |-> [j \\in {3, 4} |-> x' = i /\\ y' = j]]
Any(f) == \\E i \\in 1..2 : f[i]
Below == [i \\in 1..2 |-> \\E j \\in 1..3 : x < 10 + j]
Fixed[n \\in 1..2] == \\E j \\in 1..3 : n < 10 + j
Start[n \\in 0..2] == IF n = 0 THEN x = 0 /\\ y = 0 ELSE (x = n /\\ y = n) \\/ Start[n - 1]
First[n \\in 1..2] == x = n /\\ y = n
`

function machineFor(next: string, init = 'x = 0 /\\ y = 5') {
  const text = `---- MODULE M ----
EXTENDS Integers
VARIABLES x, y
${DEFINITIONS}
Init == ${init}
Next == ${next}
====`
  return machineOf('INIT Init NEXT Next', text)
}

const step = (next: string) => successors(machineFor(next))

function error(next: string, init?: string): string {
  const machine = machineFor(next, init)
  return told(machine, () => successors(machine).join()).split('\n')[0]!
}

test('the parameters are bound to the argument, and the body is the action', () => {
  expect(step('\\E i \\in {1, 3} : Step[i]')).toEqual(['1 1', '1 2', '3 3', '3 4'])
  expect(step('\\E i \\in 1..2 : Pair[i, 4]')).toEqual(['1 4', '2 4'])
  expect(step('Pair[<<2, 3>>]')).toEqual(['2 3'])
  expect(step('\\E p \\in {<<1, 2>>, <<3, 4>>} : Parts[p]')).toEqual(['1 2', '3 4'])
})

test('what makes the function is found through names, parameters, LET, IF and CASE', () => {
  expect(step('Steps(3)[1]')).toEqual(['4 8'])
  expect(step('Any(Steps(0))')).toEqual(['1 8', '2 8'])
  expect(step("LET f[i \\in 1..2] == x' = i /\\ y' = 7 IN f[1] \\/ f[2]")).toEqual(['1 7', '2 7'])
  expect(step('(IF x = 0 THEN Steps(0) ELSE Step)[1]')).toEqual(['1 8'])
  expect(step('(CASE x = 1 -> Steps(0) [] OTHER -> Step)[1]')).toEqual(['1 1', '1 2'])
  expect(step('\\E i \\in {1, 2} : Table[i][i + 2]')).toEqual(['1 3', '2 4'])
  expect(step('(IF x = 0 THEN Table ELSE Table)[1][4]')).toEqual(['1 4'])
  expect(step("\\A i \\in 1..2 : [j \\in 1..2 |-> IF j = 1 THEN x' = 5 ELSE y' = 6][i]")).toEqual(['5 6'])
})

test('a recursive function is an action at each depth', () => {
  expect(step('Down[2]')).toEqual(['0 5', '1 1', '2 2'])
  expect(step("(Down[1] \\/ Down[0]) /\\ x' = 0")).toEqual(['0 5', '0 5'])
})

test('the branches of a body are taken each, but not those of a constant', () => {
  expect(step("Below[1] /\\ x' = 1 /\\ y' = 1")).toEqual(['1 1', '1 1', '1 1'])
  expect(step("Fixed[1] /\\ x' = 1 /\\ y' = 1")).toEqual(['1 1'])
  expect(step("x' = 1 /\\ y' = 1 /\\ Below[1]")).toEqual(['1 1'])
})

test('an argument outside of the domain is an error', () => {
  expect(error('Step[4]')).toContain(
    'attempted to apply the function [x \\in 1..3 |-> ...] to 4, which is not in its domain',
  )
  expect(error('Pair[1, 7]')).toContain('to <<1, 7>>, which is not in its domain')
  expect(error('Table[3][3]')).toContain('to 3, which is not in its domain')
  expect(error('Table[1][1]')).toContain('to 1, which is not in its domain')
  expect(error("ENABLED Step[4] /\\ x' = 1 /\\ y' = 1")).toContain('to 4, which is not in its domain')
})

test('ENABLED looks into the body', () => {
  expect(step("ENABLED Step[1] /\\ ENABLED Down[2] /\\ x' = 1 /\\ y' = 1")).toEqual(['1 1'])
})

test('an initial predicate applies recursive functions only', () => {
  expect(initialStates(machineFor('TRUE', 'Start[2]'))).toEqual(['2 2', '1 1', '0 0'])
  expect(error('TRUE', 'First[1]')).toContain('x is used before it has a value')
})
