import { describe, expect, test } from 'vitest'
import { chooseLimits, environmentOptions, type Levels } from '../../src/options/values.ts'

const EMPTY: Levels = { flags: {}, environment: {}, property: {}, configuration: {} }
const refuse = (why: string) => {
  throw new Error(why)
}
const chosen = (levels: Partial<Levels>) => chooseLimits({ ...EMPTY, ...levels })

describe('precedence', () => {
  const ORDER = ['flags', 'environment', 'property', 'configuration'] as const

  test.each(ORDER.map((name, index) => [name, ORDER.slice(index)] as const))('%s comes before %j', (name, levels) => {
    const named = Object.fromEntries(levels.map((level, index) => [level, { runs: index + 1, seed: index + 10 }]))
    expect(chosen(named)).toEqual({ runs: 1, timeMs: undefined, seed: 10, level: name })
  })

  test('runs and time come together from the nearest level that names either', () => {
    expect(chosen({ flags: { runs: 5 }, configuration: { timeMs: 1 } })).toMatchObject({ runs: 5, timeMs: undefined })
    expect(chosen({ flags: { timeMs: 5 }, property: { runs: 1 } })).toMatchObject({ runs: undefined, timeMs: 5 })
    expect(chosen({ environment: { timeMs: 5 }, property: { runs: 1, timeMs: 2 } })).toMatchObject({
      ...{ runs: undefined, timeMs: 5, level: 'environment' },
    })
    expect(chosen({ property: { runs: 1, timeMs: 2 } })).toMatchObject({ runs: 1, timeMs: 2, level: 'property' })
  })

  test('the seed comes from the nearest level that names one, whatever names the runs', () => {
    expect(chosen({ flags: { runs: 5 }, configuration: { seed: 3 } })).toMatchObject({ runs: 5, seed: 3 })
    expect(chosen({ property: { seed: 0 }, configuration: { seed: 3 } }).seed).toBe(0)
  })

  test('nothing is named by default', () => {
    expect(chosen({})).toEqual({ runs: undefined, timeMs: undefined, seed: undefined, level: undefined })
  })
})

describe('the environment', () => {
  test('names options in NORN_TIME, NORN_RUNS, NORN_SEED and NORN_HANG', () => {
    const environment = { NORN_TIME: '30s', NORN_RUNS: ' 9 ', NORN_SEED: '0x10', NORN_HANG: '2s' }
    expect(environmentOptions(environment, refuse)).toEqual({ timeMs: 30_000, runs: 9, seed: 16, hangMs: 2000 })
    expect(environmentOptions({ NORN_TIME: '', CI: 'true' }, refuse)).toEqual({})
  })

  test.each([
    ['NORN_TIME', 'soon'],
    ['NORN_RUNS', '0'],
    ['NORN_SEED', '-1'],
    ['NORN_HANG', '0s'],
  ])('%s=%s is refused by name', (name, text) => {
    expect(() => environmentOptions({ [name]: text }, refuse)).toThrow(`${name}=${text}: expected `)
  })
})
