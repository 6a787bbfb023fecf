import { expect, test } from 'vitest'
import { speciesOf } from '../../src/search/species.ts'
import { observationOf } from './observation.ts'

test('species are pairs of consecutive tasks, and branches taken', () => {
  const { length } = speciesOf(observationOf({ order: [1, 2, 3], counters: [Uint8Array.of(0, 2, 1)] }))
  expect(length).toBe(2 + 2)
})

test('a domain can define other species', () => {
  expect(speciesOf({ ...observationOf({ order: [1, 2, 3] }), species: () => [70, 80] })).toEqual([70, 80])
})
