/**
 * Counts of generated states where a conjunction is true in several ways: TLC's figures (`-workers
 * 1`).
 */
import { describe, expect, it } from 'vitest'
import { Exploration } from '../../src/check/explore.ts'
import { loadMachine } from '../../src/node/load.ts'

const MODULE = String.raw`---- MODULE Ways ----
EXTENDS Naturals
VARIABLES x, y
True == x' = 1 \/ x' # 7 \/ y' # 9
Twice == x = 0 /\ (y = 0 \/ y = 0)
Init == x = 0 /\ y = 0 /\ (x < 1 \/ y < 1) /\ \E z \in 1..3 : z > x
AfterAll == x' = 1 /\ y' = 1 /\ (x < 1 \/ y < 1 \/ TRUE) /\ \E z \in 1..3 : z > x
Before == (x < 1 \/ y < 1) /\ x' = 2 /\ y' = 1 /\ True
All == x' = 3 /\ y' = 3 /\ \A z \in 1..2 : (z > 0 \/ x < 5)
AllWithin == \A z \in 1..2 : (x' = 3 /\ y' = 3 /\ (z > 0 \/ x < 5))
Nested == x' = 4 /\ ((y' = 1 /\ (x = 0 \/ y = 0)) \/ y' = 2) /\ True
Same == x' = 6 /\ (y' = 1 \/ (y' = 1 /\ TRUE))
Either == x' = 6 /\ y' = 1 /\ IF x = 0 THEN (x = 0 \/ y = 0) ELSE True
Inner == x' = 6 /\ (y' = 1 /\ (x = 0 \/ y = 0))
Stays == UNCHANGED <<x, y>>
Partial == y' \in {1, 2}
====
`

function counted(init: string, next: string) {
  const files = { 'Ways.tla': MODULE, 'Ways.cfg': `INIT ${init}\nNEXT ${next}\n` }
  const machine = loadMachine('Ways.tla', { files, configuration: 'Ways.cfg' })
  const outcome = new Exploration(machine, { deadlock: false }).run()
  const { generated, distinct } = machine.surroundings.progress
  return { outcome: outcome.kind, generated, distinct }
}

describe('a conjunction of which a part is true in more than one way', () => {
  it.each([
    ['Init', 'AfterAll', 3, 2],
    ['Init', 'Before', 3, 2],
    ['Init', 'All', 3, 2],
    ['Init', 'AllWithin', 3, 2],
    ['Init', 'Nested', 5, 3],
    ['Init', 'Same', 5, 2],
    ['Init', 'Either', 3, 2],
    ['Init', 'Inner', 2, 2],
    ['Twice', 'Stays', 3, 1],
  ])('%s and %s generate %i states, %i of them distinct', (init, next, generated, distinct) => {
    expect(counted(init, next)).toEqual({ outcome: 'passed', generated, distinct })
  })
})

it('a successor that lacks the value of a variable is generated, and no others after it', () => {
  expect(counted('Init', 'Partial')).toEqual({ outcome: 'error', generated: 2, distinct: 1 })
})
