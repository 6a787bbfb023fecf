import { expect, test } from 'vitest'
import { type Progress, progressText } from '../../src/report/progress.ts'

const PROGRESS: Progress = {
  executions: 500,
  shrinking: false,
  guided: undefined,
  elapsedMs: 2000,
  timeMs: 30_000,
  runs: undefined,
}

const GATHERED = { branches: 5, order: 7, classes: 3, corpus: 4, objectives: 2, unstable: 0, lastDiscovery: 321 }

test.each<[string, Partial<Progress>, string]>([
  ['the time that is left', {}, 'p: 500 executions, 250/s, 28 s left'],
  [
    'the runs, where there is no limit of time',
    { timeMs: Number.MAX_SAFE_INTEGER, runs: 900 },
    'p: 500 executions, 250/s, of 900',
  ],
  ['what it is at', { shrinking: true }, 'p: 500 executions, 250/s, found a failure, shrinking it'],
  [
    'what guidance has gathered, last',
    { guided: GATHERED },
    'p: 500 executions, 250/s, 28 s left, 12 features, corpus 4, last new in 321',
  ],
  [
    'of a cluster the abstract states, where there is a model',
    { guided: { ...GATHERED, traces: 400, states: 90 } },
    'p: 500 executions, 250/s, 28 s left, 90 abstract states, corpus 4, last new in 321',
  ],
  [
    'of a cluster without a model the happens-before classes',
    { guided: { ...GATHERED, traces: 400, states: 0 } },
    'p: 500 executions, 250/s, 28 s left, 400 happens-before classes, corpus 4, last new in 321',
  ],
])('it tells %s', (_, more, text) => {
  expect(progressText('p', { ...PROGRESS, ...more })).toBe(text)
})
