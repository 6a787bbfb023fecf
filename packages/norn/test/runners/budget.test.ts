import { describe, expect, test } from 'vitest'
import { budgetOf, timeoutOf } from '../../src/runners/budget.ts'

const drawn = () => 77

describe('the budget of a property in a run of tests', () => {
  test('is half a second and a seed of chance unless the environment says otherwise', () => {
    expect(budgetOf({}, drawn)).toMatchObject({ timeMs: 500, runs: Number.MAX_SAFE_INTEGER, seed: 77 })
  })

  test('is what NORN_TIME, NORN_SEED and NORN_HANG say', () => {
    const environment = { NORN_TIME: '30s', NORN_SEED: '0x10', NORN_HANG: '2s' }
    expect(budgetOf(environment, drawn)).toMatchObject({ timeMs: 30_000, seed: 16, hangMs: 2000 })
  })

  test('has no limit of time where only executions are counted, so that it is the same everywhere', () => {
    expect(budgetOf({ NORN_RUNS: '10' }, drawn)).toMatchObject({ runs: 10, timeMs: Number.MAX_SAFE_INTEGER })
    expect(budgetOf({ NORN_RUNS: '10', NORN_TIME: '1s' }, drawn)).toMatchObject({ runs: 10, timeMs: 1000 })
  })

  test('begins with seed 1 in CI', () => {
    expect(budgetOf({ CI: 'true' }, drawn).seed).toBe(1)
    expect(budgetOf({ CI: 'true', NORN_SEED: '5' }, drawn).seed).toBe(5)
  })

  test.each([
    ['NORN_TIME', 'soon'],
    ['NORN_RUNS', '0'],
    ['NORN_SEED', '-1'],
    ['NORN_HANG', '0s'],
  ])('%s=%s is refused by name', (name, text) => {
    expect(() => budgetOf({ [name]: text }, drawn)).toThrow(`${name}=${text}: expected `)
  })

  test('is waited for longer than it lasts, and by a timer that Node has', () => {
    const longer = (environment: Parameters<typeof budgetOf>[0]) => {
      const budget = budgetOf(environment, drawn)
      return timeoutOf(budget) > Math.min(budget.timeMs + budget.shrinkMs, 2 ** 31 - 2)
    }
    for (const environment of [{}, { NORN_TIME: '1h' }, { NORN_RUNS: '10' }]) expect(longer(environment)).toBe(true)
    expect(timeoutOf(budgetOf({ NORN_TIME: '500h' }, drawn))).toBeLessThan(2 ** 31)
  })
})
