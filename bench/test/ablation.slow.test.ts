import { expect, test } from 'vitest'
import { ablationRows } from '../ablation/comparison.ts'
import { SYSTEMS } from '../ablation/systems.ts'
import { smokeRows } from './bench.ts'

test('a row says how many states a variant reached in relation to no guide, and for which time', () => {
  const results = new Map([
    ['none' as const, [{ states: [100, 200], cpuMs: 50 }]],
    ['weights' as const, [{ states: [90, 260], cpuMs: 60 }]],
  ])
  const rows = ablationRows({ name: 'lock', isBlind: true }, [10, 20], results)
  expect(rows.map(({ variant, executions, ratio }) => [variant, executions, ratio])).toEqual([
    ['none', 10, 1],
    ['none', 20, 1],
    ['weights', 10, 0.9],
    ['weights', 20, 1.3],
  ])
  expect(rows[3]).toMatchObject({ system: 'lock', isBlind: true, trials: 1, meanStates: 260, cpuRatio: 1.2 })
})

test('a smoke run has a row for each variant of the systems that are there, at each checkpoint', async () => {
  const rows = await smokeRows('ablation', '--only', 'o')
  const systems = SYSTEMS.filter(({ name, missing }) => name.includes('o') && missing === undefined)
  expect(rows).toHaveLength(systems.length * 3 * 2)
  for (const { meanStates, ratio } of rows) {
    expect(meanStates).toBeGreaterThan(100)
    expect(ratio).toBeGreaterThan(0.5)
  }
})
