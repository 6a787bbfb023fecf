import { expect, test } from 'vitest'
import { NO_SPECIES, SpeciesCensus } from '../../norn/src/search/species.ts'
import { NOTHING_RUN } from '../../norn/src/session/summaries.ts'
import { prospectOf } from '../src/standing.ts'

test('what is expected of a second counts the executions that show no species, too', () => {
  const census = new SpeciesCensus()
  for (const species of [[1, 2], [1], [1], [1]]) {
    census.begin()
    census.observe(species)
  }
  const { stop } = NOTHING_RUN
  const standing = (species: typeof NO_SPECIES, samples: number, timeMs: number) => ({
    summary: { ...NOTHING_RUN, stop: { ...stop, species, samples } },
    ...{ shards: 1, timeMs, reasons: [] },
  })
  expect(prospectOf(standing(census.tally(), 4, 2000))).toBe(0.5)
  expect(prospectOf(standing(census.tally(), 40, 2000))).toBe(5)
  expect(prospectOf(standing(NO_SPECIES, 40, 2000))).toBeUndefined()
})
