/**
 * ENABLED within instances: what is looked for are values of the variables of the module, not of
 * what stands for them.
 */
import { expect, test } from 'vitest'
import { machineOf, valueIn } from './helper.ts'

const INNER = `---- MODULE Inner ----
EXTENDS Naturals
VARIABLES x, y
Apart == ENABLED (x' = 0 /\\ y' = 1)
AreApart == ENABLED (x # y /\\ x' = 0 /\\ y' = 1)
Stays == ENABLED UNCHANGED <<x, y>>
StaysAndGrows == ENABLED (UNCHANGED x /\\ x' = x + 1)
Differ == ENABLED (x' = x /\\ y' = y /\\ x' # y')
Sum == x + y > 3
Primed == ENABLED (x' = 3 /\\ y' = 2 /\\ Sum')
Given(v) == ENABLED (v' = 3 /\\ x' = 4)
Handed == Given(x)
Step[n \\in 1..2] == x' = n /\\ y' = 0
Applied == ENABLED Step[2]
Grow == x' = x + 1 /\\ y' = y
Within == ENABLED (x' = 0 /\\ ENABLED (y' = 1 /\\ x' = 1))
Open == ENABLED (x' = y')
RECURSIVE Becomes(_, _, _)
Becomes(v, w, n) == IF n = 0 THEN v = 1 /\\ w = 2 ELSE Becomes(w, v, n - 1)
Swapped == ENABLED (Becomes(x', y', 3) /\\ x' = 2 /\\ y' = 1)
====`

const OUTER = `---- MODULE M ----
EXTENDS Naturals
VARIABLES z, w
Both == INSTANCE Inner WITH x <- z, y <- z
Terms == INSTANCE Inner WITH x <- z + 1, y <- <<z, w>>[1]
Renamed == INSTANCE Inner WITH x <- z, y <- w
Of(a) == INSTANCE Inner WITH x <- a, y <- a
Init == z = 0 /\\ w = 0
Next == UNCHANGED <<z, w>>
====`

const machine = machineOf('INIT Init NEXT Next', OUTER, INNER)
machine.current.fill(0)
const value = (text: string) => valueIn(machine, text).split('\n')[0]

test('two variables that one variable is put for stay apart', () => {
  for (const name of ['Both', 'Terms', 'Renamed', 'Of(z)', 'Of(z + 1)']) {
    expect([name, value(`${name}!Apart`)]).toEqual([name, 'TRUE'])
    expect([name, value(`${name}!Primed`)]).toEqual([name, 'TRUE'])
    expect([name, value(`${name}!Applied`)]).toEqual([name, 'TRUE'])
    expect([name, value(`${name}!Within`)]).toEqual([name, 'TRUE'])
    expect([name, value(`${name}!Swapped`)]).toEqual([name, 'TRUE'])
  }
})

test('unprimed they are what is put for them', () => {
  expect([value('Both!AreApart'), value('Renamed!AreApart'), value('Terms!AreApart')]).toEqual([
    'FALSE',
    'FALSE',
    'TRUE',
  ])
  expect([value('Both!Differ'), value('Terms!Differ')]).toEqual(['FALSE', 'TRUE'])
  expect([value('Both!Stays'), value('Terms!Stays'), value('Of(z + 1)!Stays')]).toEqual(['TRUE', 'TRUE', 'TRUE'])
  expect([value('Both!StaysAndGrows'), value('Terms!StaysAndGrows')]).toEqual(['FALSE', 'FALSE'])
})

test('what is given for a parameter is what it was where it was given', () => {
  expect([value('Both!Given(z)'), value('Both!Handed')]).toEqual(['TRUE', 'TRUE'])
  expect(value('Terms!Handed')).toContain("z' is used before it has a value")
})

test('around an instance, ENABLED looks for the variables of the module that it stands in', () => {
  expect([value('ENABLED Renamed!Grow'), value('ENABLED Both!Grow')]).toEqual(['TRUE', 'FALSE'])
  expect(value('ENABLED Terms!Grow')).toContain("z' is used before it has a value")
})

test('a variable of the module that has no value goes by its own name', () => {
  expect(value('Both!Open')).toContain("y' is used before it has a value")
})
