import { globSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { COUNTS, MODELS, type ModelCounts } from '../../../../models/counts.ts'
import { Exploration } from '../../src/check/explore.ts'
import type { Outcome } from '../../src/check/outcome.ts'
import { loadMachine } from '../../src/node/load.ts'

/** What a run of norn comes to, in the words of models/counts.json. */
function explored({ specification, configuration }: ModelCounts): Partial<ModelCounts> {
  const machine = loadMachine(join(MODELS, specification), { configuration: join(MODELS, configuration) })
  const outcome = new Exploration(machine, { deadlock: machine.checksDeadlock }).run()
  const { generated, distinct, diameter } = machine.surroundings.progress
  if (outcome.kind === 'passed') return { result: 'passes', generated, distinct, depth: diameter }
  return { result: resultOf(outcome), ...('behaviour' in outcome ? { trace: outcome.behaviour.length } : {}) }
}

function resultOf(outcome: Outcome): string {
  return outcome.kind === 'invariant' ? `invariant ${outcome.formula.name}` : outcome.kind
}

/** Large ones are for the benches. */
const SMALL_STATES = 10_000

describe('the specifications in models/', () => {
  it.each(COUNTS.models.filter(({ distinct = 0 }) => distinct < SMALL_STATES))(
    '$configuration: $result, as TLC has it',
    (model) => {
      const { specification: _specification, configuration: _configuration, seconds: _seconds, ...known } = model
      expect(explored(model)).toEqual(known)
    },
  )

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
