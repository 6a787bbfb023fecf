/** Features: what is new, what is rare, and what counts as one. */
import { describe, expect, test } from 'vitest'
import type { Counters } from '../../src/contract/observation.ts'
import { FeatureMap } from '../../src/search/features.ts'
import { observationOf } from './observation.ts'

const BOTH = { branches: true, order: true }

const counters = (...hits: number[]): Counters => Uint32Array.from(hits)

/** How many features an observation shows for the first time. */
const newIn = (map: FeatureMap, parts: Parameters<typeof observationOf>[0]) =>
  map.observe(observationOf(parts)).fresh.length

describe('branches', () => {
  test("hits count in AFL's buckets: 1, 2, 3, 4-7, 8-15, 16-31, 32-127, 128 and more", () => {
    const map = new FeatureMap(BOTH)
    const edges: number[] = []
    for (let hits = 0; hits <= 2000; hits++) if (newIn(map, { counters: [counters(hits)] }) > 0) edges.push(hits)
    expect(edges).toEqual([1, 2, 3, 4, 8, 16, 32, 128])
    expect(map.counts.branches).toBe(8)
  })

  test('counters that stop at 255 show the same as those that go on', () => {
    const map = new FeatureMap(BOTH)
    map.observe(observationOf({ counters: [Uint8ClampedArray.of(300)] }))
    expect(newIn(map, { counters: [counters(70_000)] })).toBe(0)
  })

  test('each is fresh once, and seen as often as there are executions that show it', () => {
    const map = new FeatureMap(BOTH)
    const parts = { counters: [counters(1, 0, 5)] }
    const { fresh } = map.observe(observationOf(parts))
    expect(fresh).toHaveLength(2)
    for (let n = 0; n < 4; n++) expect(newIn(map, parts)).toBe(0)
    expect(fresh.map((feature) => map.seen(feature))).toEqual([5, 5])
    expect(map.observe(observationOf({ counters: [counters(1, 0, 9)] })).fresh).toHaveLength(1)
    expect(fresh.map((feature) => map.seen(feature))).toEqual([6, 5])
  })

  test('no two counters share a feature, files that are loaded later included', () => {
    const map = new FeatureMap(BOTH)
    const seen = new Set<number>()
    let shown = 0
    for (let file = 0; file < 5; file++) {
      for (const hits of [1, 2, 3, 4, 8, 16, 32, 128]) {
        const loaded = Array.from({ length: file + 1 }, (_, at) => counters(...Array(3).fill(at === file ? hits : 0)))
        for (const feature of map.observe(observationOf({ counters: loaded })).all()) {
          seen.add(feature)
          shown++
        }
      }
    }
    expect(seen.size).toBe(shown)
    expect([...seen].map((feature) => map.seen(feature))).toEqual(Array(shown).fill(1))
  })

  test('a feature that was never shown was seen in no execution', () => {
    const map = new FeatureMap(BOTH)
    for (const feature of [0, 7, 1e6, 2 ** 40 + 1, 2 ** 41 + 1]) expect(map.seen(feature)).toBe(0)
  })
})

describe('order', () => {
  test('what ran right after what is new only where the happens-before class is', () => {
    const map = new FeatureMap(BOTH)
    expect(newIn(map, { order: [1, 2, 3], happensBefore: 7 })).toBe(2)
    expect(newIn(map, { order: [3, 2, 1], happensBefore: 7 })).toBe(0)
    expect(newIn(map, { order: [3, 2, 1], happensBefore: 8 })).toBe(2)
    expect(map.counts).toEqual({ branches: 0, order: 4, classes: 2 })
  })

  test('a new class in known orders shows nothing new', () => {
    const map = new FeatureMap(BOTH)
    map.observe(observationOf({ order: [1, 2], happensBefore: 1 }))
    expect(newIn(map, { order: [1, 2], happensBefore: 2 })).toBe(0)
    expect(map.counts.classes).toBe(2)
  })

  test('before and after are two things, and one task alone is in no order', () => {
    const map = new FeatureMap(BOTH)
    expect(newIn(map, { order: [5], happensBefore: 1 })).toBe(0)
    expect(newIn(map, { order: [1, 2], happensBefore: 2 })).toBe(1)
    expect(newIn(map, { order: [2, 1], happensBefore: 3 })).toBe(1)
  })

  test('what was not counted as new is not among its features', () => {
    const map = new FeatureMap(BOTH)
    map.observe(observationOf({ order: [1, 2], happensBefore: 1 }))
    expect(map.observe(observationOf({ order: [2, 1], happensBefore: 1 })).all()).toEqual([])
  })

  test('of an endless execution only a beginning is looked at', () => {
    const map = new FeatureMap(BOTH)
    const order = Array.from({ length: 100_000 }, (_, at) => at)
    const fresh = newIn(map, { order, happensBefore: 1 })
    expect(fresh).toBeGreaterThan(100)
    expect(fresh).toBeLessThan(10_000)
  })
})

describe('notes', () => {
  test('each label is a feature of its own, however often it is passed', () => {
    const map = new FeatureMap({ branches: false, order: false })
    const { fresh } = map.observe(
      observationOf({
        notes: new Map([
          ['here', 3],
          ['there', 1],
        ]),
      }),
    )
    expect(new Set(fresh).size).toBe(2)
    expect(newIn(map, { notes: new Map([['here', 900]]) })).toBe(0)
    expect(fresh.map((feature) => map.seen(feature))).toEqual([2, 1])
  })

  test('labels without end are forgotten, not kept', () => {
    const map = new FeatureMap(BOTH)
    let fresh = 0
    for (let at = 0; at < 20_000; at++) fresh += newIn(map, { notes: new Map([[`note ${at}`, 1]]) })
    expect(fresh).toBeLessThan(20_000)
    expect(newIn(map, { notes: new Map([['note 19999', 1]]) })).toBe(0)
    expect(map.observe(observationOf({ notes: new Map([['note 0', 1]]) })).all()).toHaveLength(1)
  })
})

test('what is switched off is not looked at', () => {
  const parts = { counters: [counters(1)], order: [1, 2, 3], happensBefore: 1 }
  const newWith = (branches: boolean, order: boolean) => newIn(new FeatureMap({ branches, order }), parts)
  expect([newWith(true, false), newWith(false, true), newWith(false, false)]).toEqual([1, 2, 0])
})

test('all features are the fresh ones and those seen before; work grows with hits and tasks', () => {
  const map = new FeatureMap(BOTH)
  const parts = { counters: [counters(2, 0, 1)], order: [1, 2], happensBefore: 1, notes: new Map([['here', 1]]) }
  const first = map.observe(observationOf(parts))
  expect([...first.all()].sort()).toEqual([...first.fresh].sort())
  const second = map.observe(observationOf(parts))
  expect(second.fresh).toEqual([])
  expect(second.all()).toEqual(first.all())
  const workOf = (more: object) => map.observe(observationOf({ ...parts, ...more })).work
  expect(workOf({})).toBe(first.work)
  expect(workOf({ counters: [counters(2, 5, 1)] })).toBeGreaterThan(first.work)
  expect(workOf({ order: [1, 2, 3] })).toBeGreaterThan(first.work)
})
