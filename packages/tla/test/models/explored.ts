import { join } from 'node:path'
import { COUNTS, MODELS, type ModelCounts } from '../../../../models/counts.ts'
import { Exploration } from '../../src/check/explore.ts'
import type { Outcome } from '../../src/check/outcome.ts'
import { loadMachine } from '../../src/node/load.ts'

/** Large ones are for the benches. */
const SMALL_STATES = 10_000
/** TLC's time for those that the quick tests explore. */
const QUICK_SECONDS = 10

const small = COUNTS.models.filter(({ distinct = 0 }) => distinct < SMALL_STATES)
export const QUICK = small.filter(({ seconds }) => seconds < QUICK_SECONDS)
export const SLOW = small.filter(({ seconds }) => seconds >= QUICK_SECONDS)

/** What a run of norn comes to, in the words of models/counts.json. */
export function explored({ specification, configuration }: ModelCounts): Partial<ModelCounts> {
  const machine = loadMachine(join(MODELS, specification), { configuration: join(MODELS, configuration) })
  const outcome = new Exploration(machine, { deadlock: machine.checksDeadlock }).run()
  const { generated, distinct, diameter } = machine.surroundings.progress
  if (outcome.kind === 'passed') return { result: 'passes', generated, distinct, depth: diameter }
  return { result: resultOf(outcome), ...('behaviour' in outcome ? { trace: outcome.behaviour.length } : {}) }
}

function resultOf(outcome: Outcome): string {
  return outcome.kind === 'invariant' ? `invariant ${outcome.formula.name}` : outcome.kind
}

/** What TLC comes to, in the same words. */
export function known({
  specification: _s,
  configuration: _c,
  seconds: _t,
  ...counts
}: ModelCounts): Partial<ModelCounts> {
  return counts
}
