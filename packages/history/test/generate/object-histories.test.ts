/** Generated histories are what they say, and the checker agrees with trying every order. */
import { describe, expect, test } from 'vitest'
import type { History } from '../../src/history/operation.ts'
import { checkLinearizable } from '../../src/linearizability/check.ts'
import { MODELS } from '../../src/models/catalogue.ts'
import { MODEL_NAMES, type ModelName } from '../../src/models/inputs.ts'
import { breaksOf } from './breaks.ts'
import { isLinearizableByBruteForce } from './brute-force.ts'
import { brokenHistory, type HistoryOptions, linearizableHistory } from './linearizable-history.ts'
import { type Random, randomFrom } from './random.ts'
import { randomHistory } from './random-history.ts'
import { sequentialHistory } from './sequential-history.ts'

const SEEDS = Array.from({ length: 40 }, (_, seed) => seed)

function small(model: ModelName, random: Random): HistoryOptions {
  return {
    model,
    operations: 2 + random.below(6),
    processes: 1 + random.below(4),
    keys: random.coin(0.3) ? 2 : undefined,
    values: random.below(4),
    unknown: random.pick([0, 0.2]),
    failed: random.pick([0, 0.1]),
  }
}

describe.each(MODEL_NAMES)('%s', (model) => {
  test('histories with points of effect are linearizable', () => {
    for (const seed of SEEDS) {
      const random = randomFrom(seed)
      const history = linearizableHistory(random, small(model, random))
      expect(isLinearizableByBruteForce(history, MODELS[model]), `seed ${seed}`).toBe(true)
    }
  })

  test('histories with shifted processes are sequentially consistent', () => {
    let linearizable = 0
    for (const seed of SEEDS) {
      const random = randomFrom(seed)
      const history = sequentialHistory(random, small(model, random))
      expect(isLinearizableByBruteForce(history, MODELS[model], 'sequential'), `seed ${seed}`).toBe(true)
      if (isLinearizableByBruteForce(history, MODELS[model])) linearizable++
    }
    expect(linearizable).toBeLessThan(SEEDS.length)
  })

  test.each(breaksOf(model))('histories with a planted %s are not', (kind) => {
    for (const seed of SEEDS) {
      const random = randomFrom(seed)
      const history = brokenHistory(random, { ...small(model, random), operations: 4 }, kind)
      expect(isLinearizableByBruteForce(history, MODELS[model]), `seed ${seed}`).toBe(false)
    }
  })

  test('the checker agrees with trying every order', () => {
    const verdicts = { ok: 0, illegal: 0 }
    for (const seed of SEEDS) {
      const random = randomFrom(seed)
      const history = randomHistory(random, small(model, random))
      const expected = isLinearizableByBruteForce(history, MODELS[model]) ? 'ok' : 'illegal'
      expect(checkLinearizable(history, MODELS[model]).verdict, `seed ${seed}`).toBe(expected)
      verdicts[expected]++
    }
    expect(verdicts.ok).toBeGreaterThan(0)
    if (model !== 'mutex') expect(verdicts.illegal).toBeGreaterThan(0)
  })
})

test('the same seed gives the same history', () => {
  const history = (): History => linearizableHistory(randomFrom(7), { model: 'kv', operations: 50, unknown: 0.1 })
  expect(history()).toEqual(history())
})
