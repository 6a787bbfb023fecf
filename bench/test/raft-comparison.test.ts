import { expect, test } from 'vitest'
import { coverageRows, type Measured, statesRows } from '../raft/comparison.ts'
import { MODEL, NONE } from '../raft/techniques.ts'
import type { TrialResult } from '../raft/trial.ts'

/** A trial with points after 500 and 1,000 executions. */
function trial(cpuMs: number, half: number, whole: number): TrialResult {
  const point = (executions: number, cpuMs: number, states: number) => ({
    executions,
    cpuMs,
    relative: states,
    symmetric: states / 10,
  })
  return { foundAt: null, failure: null, points: [point(500, cpuMs / 2, half), point(1000, cpuMs, whole)] }
}

const MEASURED: readonly Measured[] = [
  { technique: NONE, trials: [trial(1000, 100, 200), trial(1000, 110, 220)] },
  { technique: MODEL, trials: [trial(2000, 100, 400), trial(2000, 104, 420)] },
]

test('at equal executions, the states at the end, and the worst checkpoint from 500 executions on', () => {
  const [none, model] = statesRows(MEASURED).filter(
    ({ equal, projection }) => equal === 'executions' && projection === 'relative',
  )
  expect(none).toMatchObject({ after: 1000, meanStates: 210, modelRatio: 1.952, worstRatio: 0.9714, a12: 1, p: 0.3333 })
  expect(model).toMatchObject({ meanStates: 410, modelRatio: null, p: null })
})

test('at equal time, states are read between the points of the slower technique', () => {
  const rows = statesRows(MEASURED).filter(({ equal, projection }) => equal === 'time' && projection === 'symmetric')
  expect(rows[0]).toMatchObject({ after: 1000, meanStates: 21, modelRatio: 0.4857, worstRatio: null })
  const late = MEASURED.map((each) => ({
    ...each,
    trials: each.trials.map(({ points, ...rest }) => ({ ...rest, points: points.slice(1) })),
  }))
  // Before the first point, as far as the time has come on the way to it.
  expect(statesRows(late).find(({ equal }) => equal === 'time')).toMatchObject({ modelRatio: 0.9762 })
})

test('without the model, rows stand alone; coverage has a row a checkpoint', () => {
  const alone = statesRows(MEASURED.slice(0, 1))
  expect(alone.every(({ modelRatio, a12, p }) => modelRatio === null && a12 === null && p === null)).toBe(true)
  const coverage = coverageRows(MEASURED)
  expect(coverage).toHaveLength(8)
  expect(coverage[0]).toMatchObject({ guide: 'none', projection: 'relative', executions: 500, mean: 105 })
})
