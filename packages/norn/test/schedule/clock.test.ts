import { describe, expect, test } from 'vitest'
import { EPOCH_MS, MAX_CORRECTION_MS, MAX_PHASE_US, MAX_START_MS } from '../../src/contract/wall-clock.ts'
import { clockProposer } from '../../src/schedule/clock.ts'
import { chance } from '../../src/tape/chance.ts'

const SEEDS = Array.from({ length: 3000 }, (_, seed) => seed)
const MANY = 100

/** Instants at which executions start that depart from the default, in milliseconds since the epoch. */
const starts = SEEDS.map((seed) => clockProposer(chance(seed), 1)('clock', MAX_START_MS)).map((ms) => EPOCH_MS + ms)

describe('the start of the wall clock', () => {
  test('is a whole number of milliseconds after the default, by the seed alone', () => {
    for (const seed of SEEDS) {
      const proposed = clockProposer(chance(seed), MANY)('clock', MAX_START_MS)
      expect(Number.isInteger(proposed) && proposed >= 0 && proposed <= MAX_START_MS).toBe(true)
      expect(clockProposer(chance(seed), MANY)('clock', MAX_START_MS)).toBe(proposed)
    }
  })

  test('departs in a quarter of the executions, and in all that have no other schedule point', () => {
    const share = (points: number) =>
      SEEDS.filter((seed) => clockProposer(chance(seed), points)('clock', MAX_START_MS) > 0).length / SEEDS.length
    expect(share(MANY)).toBeGreaterThan(0.22)
    expect(share(MANY)).toBeLessThan(0.28)
    expect(share(1)).toBe(1)
    expect(share(0)).toBe(1)
  })

  test.each([
    ['a second', (at: number) => 1000 - (at % 1000) <= 2],
    ['a minute', (at: number) => 60_000 - (at % 60_000) <= 1000],
    ['an hour', (at: number) => 3_600_000 - (at % 3_600_000) <= 60_000],
    ['a day', (at: number) => 86_400_000 - (at % 86_400_000) <= 60_000],
    ['a month', (at: number) => monthOf(at + 60_000) !== monthOf(at)],
    ['the year', (at: number) => yearOf(at + 60_000) !== yearOf(at)],
    ['29 February', (at: number) => dayOf(at) === '2028-02-29' && dayOf(at + 3_600_000) === '2028-03-01'],
    [
      'the day before 29 February',
      (at: number) => dayOf(at) === '2028-02-28' && dayOf(at + 3_600_000) === '2028-02-29',
    ],
    ['winter time in Europe', (at: number) => isBefore(at, '2026-03-29T01:00Z')],
    ['summer time in Europe', (at: number) => isBefore(at, '2026-10-25T01:00Z')],
    ['winter time in New York', (at: number) => isBefore(at, '2026-03-08T07:00Z')],
    ['summer time in New York', (at: number) => isBefore(at, '2026-11-01T06:00Z')],
  ])('is shortly before the end of %s', (_, holds) => {
    expect(starts.filter(holds).length).toBeGreaterThan(SEEDS.length / 200)
  })

  test('is anywhere within a second', () => {
    const tenths = new Set(starts.map((at) => Math.floor((at % 1000) / 100)))
    expect(tenths.size).toBe(10)
  })

  test('is at a boundary, or behind it', () => {
    expect(starts).toContain(Date.UTC(2027, 0, 1))
    expect(starts.some((at) => at > Date.UTC(2027, 0, 1) && at < Date.UTC(2027, 0, 2))).toBe(true)
  })
})

test('executions start anywhere in a millisecond of the loop, as often as they depart', () => {
  const phases = (points: number) =>
    SEEDS.map((seed) => clockProposer(chance(seed), points)('phase', MAX_PHASE_US)).filter((us) => us > 0)
  const share = phases(MANY).length / SEEDS.length
  expect(share).toBeGreaterThan(0.22)
  expect(share).toBeLessThan(0.28)
  expect(phases(1)).toHaveLength(SEEDS.length)
  expect(phases(1).every((us) => Number.isInteger(us) && us <= MAX_PHASE_US)).toBe(true)
  expect(new Set(phases(1).map((us) => Math.floor(us / 100))).size).toBe(10)
})

test('few executions have pauses or corrections, and these have them at some reads', () => {
  for (const [kind, max] of [
    ['pause', 20_000],
    ['correction', MAX_CORRECTION_MS],
  ] as const) {
    const drawn = SEEDS.map((seed) => {
      const propose = clockProposer(chance(seed), MANY)
      return Array.from({ length: 30 }, () => propose(kind, max))
    })
    const departing = drawn.filter((values) => values.some((value) => value > 0))
    expect(departing.length / SEEDS.length).toBeGreaterThan(0.09)
    expect(departing.length / SEEDS.length).toBeLessThan(0.14)
    for (const values of departing) for (const value of values) expect(value >= 0 && value <= max).toBe(true)
    expect(departing.some((values) => values.some((value) => value === 0))).toBe(true)
  }
})

const monthOf = (at: number) => new Date(at).getUTCMonth()
const yearOf = (at: number) => new Date(at).getUTCFullYear()
const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10)
const isBefore = (at: number, change: string) => Date.parse(change) > at && Date.parse(change) - at <= 3_600_000
