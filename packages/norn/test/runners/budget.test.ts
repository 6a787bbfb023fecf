import { describe, expect, test } from 'vitest'
import type { Levels } from '../../src/options/values.ts'
import { budgetOf, timeoutOf } from '../../src/runners/budget.ts'

const budget = (levels: Partial<Levels> = {}) =>
  budgetOf({ environment: {}, property: {}, configuration: {}, ...levels }, () => 77)

describe('the budget of a property in a run of tests', () => {
  test('is half a second and the default seed unless a level says otherwise', () => {
    expect(budget()).toMatchObject({ timeMs: 500, runs: Number.MAX_SAFE_INTEGER, seed: 77 })
  })

  test('is what the nearest level names', () => {
    expect(budget({ environment: { timeMs: 30_000, seed: 16 } })).toMatchObject({ timeMs: 30_000, seed: 16 })
    expect(budget({ property: { timeMs: 7 }, configuration: { timeMs: 9, seed: 3 } })).toMatchObject({
      ...{ timeMs: 7, seed: 3 },
    })
  })

  test('has no limit of time where only executions are counted, so that it is the same everywhere', () => {
    const unlimited = { runs: 10, timeMs: Number.MAX_SAFE_INTEGER }
    expect(budget({ environment: { runs: 10 } })).toMatchObject(unlimited)
    expect(budget({ property: { runs: 10 }, configuration: { timeMs: 5 } })).toMatchObject(unlimited)
    expect(budget({ environment: { runs: 10, timeMs: 1000 } })).toMatchObject({ runs: 10, timeMs: 1000 })
  })

  test('has a minimum of executions, on however busy a machine, unless fewer are asked for', () => {
    expect(budget().minRuns).toBe(100)
    expect(budget({ environment: { timeMs: 1 } }).minRuns).toBe(100)
    expect(budget({ property: { runs: 10 } }).minRuns).toBe(10)
    expect(budget({ property: { runs: 1000 } }).minRuns).toBe(100)
  })

  test('is waited for longer than it lasts, and by a timer that Node has', () => {
    for (const property of [{}, { timeMs: 3_600_000 }, { runs: 10 }]) {
      const { timeMs, shrinkMs } = budget({ property })
      expect(timeoutOf(budget({ property }))).toBeGreaterThan(Math.min(timeMs + shrinkMs, 2 ** 31 - 2))
    }
    expect(timeoutOf(budget({ property: { timeMs: 1_800_000_000 } }))).toBeLessThan(2 ** 31)
    expect(timeoutOf(budget(), 60_000)).toBeGreaterThan(timeoutOf(budget()))
  })
})
