/**
 * A VIEW that cannot be evaluated is an error of the specification, reported with its place and
 * behaviour.
 */
import { expect, test } from 'vitest'
import { Exploration } from '../../src/check/explore.ts'
import type { Outcome } from '../../src/check/outcome.ts'
import { Simulation } from '../../src/check/simulate.ts'
import { machineOf } from '../specification.ts'

const machine = () =>
  machineOf(
    `EXTENDS Integers
VARIABLE x
Init == x = 1
Next == x' = (x + 1) % 5
Inverse == <<x, 1 \\div (x - 3)>>`,
    'INIT Init NEXT Next VIEW Inverse',
  )

function told(outcome: Outcome): string {
  if (outcome.kind !== 'error') return outcome.kind
  return [outcome.error.describe(), ...outcome.behaviour.map(({ state }) => state.join())].join('\n')
}

test('while a specification is explored', () => {
  expect(told(new Exploration(machine(), { deadlock: true }).run())).toMatchInlineSnapshot(`
    "Spec.tla:6:17: division by zero: 1 \\div 0
        6 | Inverse == <<x, 1 \\div (x - 3)>>
          |                 ^^^^^^^^^^^^^^
      in Inverse (Spec.tla:6:1)
    1
    2
    3"
  `)
})

test('while a specification is simulated', () => {
  const simulation = new Simulation(machine(), { deadlock: true, behaviours: 1, maxDepth: 9, seed: 0, maxBytes: 1e7 })
  expect(told(simulation.run())).toMatchInlineSnapshot(`
    "Spec.tla:6:17: division by zero: 1 \\div 0
        6 | Inverse == <<x, 1 \\div (x - 3)>>
          |                 ^^^^^^^^^^^^^^
      in Inverse (Spec.tla:6:1)
    1
    2
    3"
  `)
})
