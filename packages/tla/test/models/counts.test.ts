import { globSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { COUNTS, MODELS } from '../../../../models/counts.ts'
import { explored, known, QUICK } from './explored.ts'

describe('the specifications in models/', () => {
  it.each(QUICK)('$configuration: $result, as TLC has it', (model) => expect(explored(model)).toEqual(known(model)))

  it('have each a configuration that passes, and one that does not', () => {
    for (const specification of new Set(COUNTS.models.map((model) => model.specification))) {
      const results = COUNTS.models.filter((model) => model.specification === specification).map(({ result }) => result)
      expect(results, specification).toContain('passes')
      expect(
        results.some((result) => result !== 'passes'),
        specification,
      ).toBe(true)
    }
  })

  it('are all counted, but for those whose states are too many', () => {
    const counted = COUNTS.models.map(({ configuration }) => configuration)
    const all = globSync('**/*.cfg', { cwd: MODELS })
    expect(all.filter((path) => !counted.includes(path))).toEqual(['RaftElectionTraces.cfg'])
  })
})
