import { expect, test } from 'vitest'
import type { ClusterObservation } from '../../src/contract/observation.ts'
import { speciesOf } from '../../src/search/species-of.ts'
import { observationOf } from './observation.ts'

const cluster: ClusterObservation = {
  trace: 1,
  states: [7, 8],
  stateSteps: [0, 3],
  performed: [],
  codes: undefined,
  orders: () => ({ pairs: [5], steps: [0] }),
  species: () => [70, 80],
}

test('of a program species are which task ran right after which, and which branches were taken', () => {
  const { length } = speciesOf(observationOf({ order: [1, 2, 3], counters: [Uint8Array.of(0, 2, 1)] }))
  expect(length).toBe(2 + 2)
})

test('of a cluster they are what the cluster says, and nothing of the loop around it', () => {
  expect(speciesOf({ ...observationOf({ order: [1, 2, 3] }), cluster })).toEqual([70, 80])
})
