import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Estimates } from '../../src/contract/plan.ts'
import { Worker } from '../../src/process/worker.ts'
import { pct } from '../../src/schedule/pct.ts'
import type { SchedulePoint, Scheduler } from '../../src/schedule/strategy.ts'
import { chance } from '../../src/tape/chance.ts'

const MAX_US = 20_000
const SLOT_US = 100
const SEEDS = Array.from({ length: 50 }, (_, seed) => seed)

function begin(seed: number, depth: number | undefined, estimates: Partial<Estimates> = {}): Scheduler {
  return pct(depth).begin(chance(seed), { chains: 3, points: 1000, durationUs: SLOT_US, ...estimates })
}

/** A point at which other operations are under way, unless said otherwise. */
function at(chain: string, nowUs = 0, more: Partial<SchedulePoint> = {}): SchedulePoint {
  return { kind: 'effect', chain, maxUs: MAX_US, nowUs, alone: false, ...more }
}

describe('ranks (depth 1: order alone decides)', () => {
  test('each chain waits for a slot of its own when it is first seen', () => {
    for (const seed of SEEDS) {
      const scheduler = begin(seed, 1)
      const waits = ['a', 'b', 'c'].map((chain) => scheduler(at(chain)))
      expect([...waits].sort((a, b) => a - b)).toEqual([0, SLOT_US, 2 * SLOT_US])
    }
  })

  test('each chain is the last one as often as any other', () => {
    const last = { a: 0, b: 0, c: 0 }
    for (let seed = 0; seed < 3000; seed++) {
      const scheduler = begin(seed, 1)
      for (const chain of ['a', 'b', 'c'] as const) if (scheduler(at(chain)) === 2 * SLOT_US) last[chain]++
    }
    // Mean 1000, standard deviation 26: for a random seed, outside with a probability of 0.1% each.
    for (const count of Object.values(last)) expect(Math.abs(count - 1000)).toBeLessThan(85)
  })

  test('nothing else of a chain is late while others are under way', () => {
    const scheduler = begin(1, 1)
    for (const chain of ['a', 'b', 'c']) scheduler(at(chain))
    expect(['a', 'b', 'c', 'c', 'a'].map((chain) => scheduler(at(chain, 50)))).toEqual([0, 0, 0, 0, 0])
  })

  test('a chain that goes on alone waits for its slot again, for it may be about to start others', () => {
    for (const seed of SEEDS) {
      const scheduler = begin(seed, 1)
      const first = scheduler(at('a', 0, { alone: true }))
      const second = scheduler(at('a', 5000, { alone: true }))
      expect(second).toBe(first)
      expect(new Set([second, scheduler(at('b', 5000)), scheduler(at('c', 5000))]).size).toBe(3)
    }
  })

  test('a chain that is first seen when its slot has begun is not held back', () => {
    const scheduler = begin(2, 1, { chains: 2 })
    const waits = [scheduler(at('a', 0)), scheduler(at('b', 150))]
    expect(waits.sort()).toEqual([0, waits[0] === 0 ? 0 : SLOT_US].sort())
  })

  test('when the slots of a round are over, another round begins', () => {
    for (const seed of SEEDS) {
      const scheduler = begin(seed, 1)
      const late = [scheduler(at('a', 0)), scheduler(at('b', 1000)), scheduler(at('c', 1000))]
      expect([...late].sort((a, b) => a - b)).toEqual([0, SLOT_US, 2 * SLOT_US])
    }
  })

  test('more chains than were estimated get slots among the estimated', () => {
    const scheduler = begin(1, 1, { chains: 2 })
    for (let chain = 0; chain < 100; chain++) expect([0, SLOT_US]).toContain(scheduler(at(`${chain}`)))
  })
})

describe('change points (depth d: d-1 of them)', () => {
  test('the operation at a change point waits behind every rank; there are d-1, each in a slot of its own', () => {
    for (const seed of SEEDS) {
      const scheduler = begin(seed, 3, { points: 50 })
      const waits = Array.from({ length: 50 }, () => scheduler(at('a')))
      const changed = waits.filter((wait) => wait >= 3 * SLOT_US)
      // Two change points may fall on one point, with a probability of 1/50.
      if (changed.length === 2) expect(changed.sort((a, b) => a - b)).toEqual([3 * SLOT_US, 4 * SLOT_US])
      else expect(changed).toEqual([4 * SLOT_US])
    }
  })

  test('of two chains that fell, the one with the later slot resumes later, whatever ranks they had', () => {
    const scheduler = begin(0, 3, { points: 2 })
    const resumed = [scheduler(at('a', 0)), 40 + scheduler(at('b', 40))]
    expect(resumed.sort((a, b) => a - b)).toEqual([3 * SLOT_US, 4 * SLOT_US])
  })

  test('a change point is as likely at one point as at another', () => {
    const counts = Array.from({ length: 10 }, () => 0)
    for (let seed = 0; seed < 5000; seed++) {
      const scheduler = begin(seed, 2, { points: 10 })
      for (let point = 0; point < 10; point++) if (scheduler(at('a')) === 3 * SLOT_US) counts[point]!++
    }
    // Mean 500, standard deviation 21: for a random seed, outside with a probability of 0.1% each.
    for (const count of counts) expect(Math.abs(count - 500)).toBeLessThan(70)
  })

  test('without a depth half of the executions have one change point, and few have more than four', () => {
    const POINTS = 2000
    const counts = [0, 0, 0, 0, 0]
    for (let seed = 0; seed < 500; seed++) {
      const scheduler = begin(seed, undefined, { points: POINTS, chains: 1 })
      const waits = Array.from({ length: POINTS }, () => scheduler(at('a')))
      counts[waits.filter((wait) => wait > 0).length]!++
    }
    // Means 250, 125, 63 and 31; 31 for none. Standard deviations 11, 10, 7 and 5.
    expect(Math.abs(counts[1]! - 250)).toBeLessThan(40)
    expect(Math.abs(counts[2]! - 125)).toBeLessThan(35)
    expect(counts[0]).toBeGreaterThan(10)
    expect(counts[4]).toBeGreaterThan(10)
  })
})

test('nothing is later than the bound, however long the body and however many the chains', () => {
  for (const seed of SEEDS) {
    const scheduler = begin(seed, 5, { chains: 40, durationUs: 1e9, points: 200 })
    for (let point = 0; point < 200; point++) {
      const wait = scheduler(at(`${point % 60}`, point * 700, { alone: point % 7 === 0 }))
      expect(wait >= 0 && wait <= MAX_US && Number.isInteger(wait)).toBe(true)
    }
  }
})

test('what is proposed is a function of the seed', () => {
  const waits = (seed: number) => {
    const scheduler = begin(seed, undefined, { points: 30 })
    return Array.from({ length: 30 }, (_, point) => scheduler(at(`${point % 4}`, point * 20)))
  }
  expect(waits(3)).toEqual(waits(3))
  expect(new Set(SEEDS.map((seed) => waits(seed).join())).size).toBeGreaterThan(30)
})

/**
 * The guarantee, through the whole of the world: a bug of depth d in a program of n chains and k
 * points is hit by pct:d with a probability of at least 1/(n k^(d-1)), n and k as the executions
 * report them.
 *
 * The rates are those of 10,000 executions; the probability to miss is that of a binomial variable
 * with this rate staying below the bound, for a seed taken at random. The rate of `random` stands
 * beside for comparison.
 *
 * Most of these programs leave slack: the window of depth-2 is two points wide, so its rate should
 * be twice the bound. That of depth-2-tight is one: its rate is the bound, so what is held is four
 * fifths of it.
 */
describe('the guarantee on programs of known depth', () => {
  const ROOT = resolve(import.meta.dirname, '../../../..')

  test.each([
    // Bound 0.250, rate 0.333 (random: 0.048); missed with 1e-5.
    { fixture: 'depth-1', depth: 1, runs: 600, chains: 4 },
    // Bound 0.167, rate 0.591 (random: 0.046); missed with less than 1e-50. Before a chain that
    // goes on alone waited again, the rate was 0: what started the others could never be the last
    // of them.
    { fixture: 'depth-1-later', depth: 1, runs: 600, chains: 6 },
    // Bound 0.0132, rate 0.0228 (random: 0.0134); missed with 2e-4.
    { fixture: 'depth-2', depth: 2, runs: 3000, chains: 4 },
    // Bound 0.0132, rate 0.0132; missed with 0.04. With short tapes among them it was 0.0125.
    { fixture: 'depth-2-tight', depth: 2, runs: 6000, chains: 4, share: 0.8 },
    // Bound 0.00034, rate 0.0077 (random: 0.0056); missed with 1e-5.
    { fixture: 'depth-3', depth: 3, runs: 1500, chains: 4 },
  ])('$fixture never fails naturally, and under pct:$depth as often as promised', async (row) => {
    const { fixture, depth, runs, chains, share = 1 } = row
    const file = resolve(import.meta.dirname, 'fixtures', `${fixture}.fuzz.ts`)
    const worker = new Worker({ file, root: ROOT, aliases: [] })
    try {
      const [property] = await worker.list()
      const options = { seed: 1, timeMs: 1e9, keepGoing: true, shrink: false, skip: 0 }
      const natural = await worker.explore(property!, { ...options, strategy: 'natural', runs: 5 }, () => {})
      expect(natural).toMatchObject({ passed: 5, failed: 0, voided: 0, flaky: 0 })
      const summary = await worker.explore(property!, { ...options, strategy: `pct:${depth}`, runs }, () => {})
      expect(summary).toMatchObject({ maxChains: chains, voided: 0, flaky: 0 })
      const { maxChains: n, maxPoints: k, failed, executions } = summary
      expect(failed / executions).toBeGreaterThanOrEqual(share / (n * k ** (depth - 1)))
    } finally {
      worker.close()
    }
  })
})
