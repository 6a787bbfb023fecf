import { describe, expect, test } from 'vitest'
import { NO_ESTIMATES } from '../../src/contract/plan.ts'
import { natural } from '../../src/schedule/natural.ts'
import { pct } from '../../src/schedule/pct.ts'
import { random } from '../../src/schedule/random.ts'
import { chance } from '../../src/tape/chance.ts'

const POINTS = 200
const SEEDS = Array.from({ length: 400 }, (_, seed) => seed)
const ESTIMATES = { ...NO_ESTIMATES, faultPoints: POINTS }

/** A thousand-fold `read`, and one `fsync` near the end. */
const operationAt = (index: number) => (index === 180 ? 'fsync' : 'read')

/** Where an execution proposes faults, and which. */
function proposed(strategy: typeof random, seed: number, max = 20): { index: number; value: number }[] {
  const propose = strategy.faults!(chance(seed), ESTIMATES)
  return Array.from({ length: POINTS }, (_, index) => ({
    index,
    value: propose({ index, operation: operationAt(index), max }),
  })).filter(({ value }) => value !== 0)
}

test('the default schedule has no faults', () => {
  expect(natural.faults).toBeUndefined()
})

describe.each([
  ['random', random],
  ['pct', pct()],
])('%s', (_, strategy) => {
  const all = SEEDS.map((seed) => proposed(strategy, seed))

  test('what is proposed is a function of the seed, and of the range', () => {
    for (const seed of [1, 2, 3]) expect(proposed(strategy, seed)).toEqual(all[seed])
    for (const max of [1, 2, 5, 100_000]) {
      const values = SEEDS.flatMap((seed) => proposed(strategy, seed, max)).map(({ value }) => value)
      expect(values.every((value) => Number.isInteger(value) && value >= 1 && value <= max)).toBe(true)
      expect(Math.max(...values)).toBeGreaterThan(max / 2)
      for (let value = 1; value <= Math.min(4, max); value++) expect(values).toContain(value)
    }
  })

  test('many executions have none, and many have few', () => {
    const none = all.filter(({ length }) => length === 0).length
    const few = all.filter(({ length }) => length > 0 && length <= 3).length
    // Each has an expected share of more than 0.25; the chance that one of 400 draws falls below
    // 0.15 is under 1e-5.
    expect(none / SEEDS.length).toBeGreaterThan(0.15)
    expect(few / SEEDS.length).toBeGreaterThan(0.15)
  })

  test('early and late operations get theirs, and so does a rare one', () => {
    const first = all.flatMap(([fault]) => (fault === undefined ? [] : [fault.index]))
    const quarters = [0, 1, 2, 3].map((quarter) => first.filter((index) => Math.floor(index / 50) === quarter).length)
    for (const count of quarters) expect(count).toBeGreaterThan(4)
    // One operation in 200 is the first to fail far more often than by its share.
    expect(first.filter((index) => index === 180).length).toBeGreaterThan(5)
  })
})

test('random needs no estimates, so that a number names its executions', () => {
  const propose = (faultPoints: number) => {
    const proposer = random.faults!(chance(5), { ...NO_ESTIMATES, faultPoints })
    return Array.from({ length: 50 }, (_, index) => proposer({ index, operation: 'open', max: 4 }))
  }
  expect(propose(1)).toEqual(propose(1000))
})
