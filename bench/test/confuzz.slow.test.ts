/** The confuzz suite, very small: its rows, and their summary. */
import { describe, expect, test } from 'vitest'
import { byTechnique, gain, growth, type Measured } from '../confuzz/summary.ts'
import { CAP, Searched, TECHNIQUES } from '../confuzz/techniques.ts'
import { EVERYTHING } from '../engine.ts'
import { CONFUZZ } from '../subjects/catalogue.ts'
import type { Trial } from '../trials/trial.ts'
import { smokeRows } from './bench.ts'

test('every technique has its row, with a reason where it cannot be used', async () => {
  const printed = await smokeRows('confuzz', '--only', 'IR', '--trials', '1')
  const rows = printed.slice(0, -1)
  expect(rows.map(({ strategy }) => strategy)).toEqual(TECHNIQUES.map(({ name }) => name))
  for (const row of rows) expect(row).toMatchObject({ suite: 'confuzz', subject: 'IR', variant: 'buggy' })
  for (const strategy of ['guided', 'unguided', 'random', 'fast-check']) {
    expect(rows.find((row) => row.strategy === strategy)).toMatchObject({ trials: 1, found: 1, missed: [] })
  }
  expect(rows.find((row) => row.strategy === 'schedule-only')).toMatchObject({
    trials: 0,
    medianRuns: null,
    skipped: expect.stringContaining('no input'),
  })
  expect(printed.at(-1)).toMatchObject({ suite: 'confuzz', summary: { gain: { bySubject: [{ subject: 'IR' }] } } })
})

const GUIDED = { guide: EVERYTHING, strategy: 'portfolio' }

/** Guided trials of a subject, in one process; without the times that they took. */
async function guidedTrials(subject: string, seeds: readonly number[], runs: number) {
  const searched = new Searched(CONFUZZ.find(({ name }) => name === subject)!)
  try {
    const trials: Trial[] = []
    for (const seed of seeds) trials.push(await searched.trial(GUIDED, seed, { timeMs: Number.MAX_SAFE_INTEGER, runs }))
    return trials.map((trial) => ({ seed: trial.seed, found: trial.found, runs: trial.runs }))
  } finally {
    searched.close()
  }
}

test('a trial does not depend on those before it in its process', async () => {
  const [, after] = await guidedTrials('LWT', [1, 2], 1500)
  const [alone] = await guidedTrials('LWT', [2], 1500)
  expect(after).toEqual(alone)
})

test('an order of 45 tasks grows task by task, where by chance it is one in 6 ^ 15', async () => {
  // Some ten executions a task, and those before; 4,000 where a task's own moment is taken for the
  // one at which it was due.
  for (const { found } of await guidedTrials('B2(1)', [1, 2, 3], 1000)) expect(found).toBe(true)
})

test('a seed that missed is named', async () => {
  const [row] = await smokeRows(
    'confuzz',
    '--only',
    'needle',
    '--techniques',
    'random',
    '--trials',
    '2',
    '--time',
    '0.1',
  )
  expect(row).toMatchObject({ subject: 'needle', found: 0, medianRuns: null, cappedRuns: CAP, missed: [1, 2] })
  expect(row.outOfTime).toBe(2)
})

describe('the summary', () => {
  const trials = (...runs: (number | undefined)[]) =>
    runs.map((found, index) => {
      const isFound = found !== undefined
      return { seed: index + 1, found: isFound, runs: found ?? 7, ms: found ?? 7, failures: Number(isFound) }
    })
  const measured = (subject: string, guided: Measured['trials'], unguided: Measured['trials'] = guided): Measured[] => [
    { subject, technique: 'guided', trials: guided },
    { subject, technique: 'unguided', trials: unguided },
  ]

  test('the gain is the geometric mean of the ratios of medians', () => {
    const rows = [...measured('A', trials(10), trials(80)), ...measured('B', trials(1, 10, 30), trials(20, 20, 20))]
    expect(gain(rows)).toMatchObject({
      mean: expect.closeTo(4),
      bySubject: [
        { subject: 'A', ratio: 8 },
        { subject: 'B', ratio: 2 },
      ],
      worst: { subject: 'B', ratio: 2 },
      doesNotPay: [],
    })
  })

  test('a trial that found nothing, or took longer, counts as the cap', () => {
    expect(gain(measured('A', trials(100), trials(undefined)))!.mean).toBeCloseTo(CAP / 100)
    expect(gain(measured('A', trials(10 * CAP), trials(CAP / 2)))!.mean).toBeCloseTo(0.5)
  })

  test('B2 counts once, and the needle not at all', () => {
    const rows = ['B2(1)', 'B2(2)', 'B2(5)', 'needle'].flatMap((subject) => measured(subject, trials(10), trials(80)))
    expect(gain(rows)!.bySubject).toEqual([{ subject: 'B2(1)', ratio: 8 }])
  })

  test('where guidance does not pay is said', () => {
    const rows = [...measured('A', trials(100), trials(104)), ...measured('B', trials(100), trials(105))]
    expect(gain(rows)!.doesNotPay).toEqual(['A'])
  })

  test('without one of the two there is no gain', () => {
    expect(gain(measured('A', trials(1)).slice(1))).toBeUndefined()
  })

  test('the growth of B2 is that of the mean time, once all were found', () => {
    const large = measured('B2(5)', trials(30, 50))
    expect(growth([...measured('B2(1)', trials(10, 10)), ...large])).toBe(4)
    expect(growth([...measured('B2(1)', trials(10, undefined)), ...large])).toBeUndefined()
  })

  test('a technique has its mean time over what it found, and its median over all', () => {
    const rows = [{ subject: 'A', technique: 'random', trials: trials(10, 30, undefined) }]
    expect(byTechnique(rows)).toEqual([{ technique: 'random', found: 2, trials: 3, meanMs: 20, medianRuns: 30 }])
  })
})
