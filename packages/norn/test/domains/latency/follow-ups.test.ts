/**
 * What looks closer at one entry: trimming, refinement and descent. Whatever it is told of its
 * candidates, it ends soon and leaves the entry no worse; what it is told is drawn by chance here.
 */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Choice } from '../../../src/contract/choice.ts'
import type { Choices, TapeRecord } from '../../../src/contract/choices.ts'
import type { Moment, Observation } from '../../../src/contract/observation.ts'
import type { Entry } from '../../../src/domains/latency/corpus.ts'
import { Descent } from '../../../src/domains/latency/descent.ts'
import type { FollowUp } from '../../../src/domains/latency/pursuit.ts'
import { Pursuit } from '../../../src/domains/latency/pursuit.ts'
import { Refinement } from '../../../src/domains/latency/refinement.ts'
import { Reordering } from '../../../src/domains/latency/reordering.ts'
import { Timeline } from '../../../src/domains/latency/timeline.ts'
import { Trimming } from '../../../src/domains/latency/trimming.ts'
import { chance } from '../../../src/tape/chance.ts'
import { entryOf, late, number, observationOf, recordOf } from '../../search/observation.ts'

const SITE = 1
/** Candidates that trimming may make. */
const TRIES = 12
/** More candidates than any of these may make. */
const MANY = 1000
const SETTINGS = { seed: 1, numRuns: 120, endOnFailure: true }

/** What the execution of a candidate showed: it drew what stands there, and came so near. */
const ranAt = (candidate: Choices, distance: number | undefined): Observation =>
  observationOf({
    ...(distance === undefined ? { compared: [] } : { compared: [[SITE, distance, 0]] }),
    record: recordOf({ ...candidate }),
  })

/** Lets it run, with executions that come as near as is said. Gives how many there were. */
function follow(followUp: FollowUp, distanceOf: (candidate: Choices, at: number) => number | undefined): number {
  for (let at = 0; at < MANY; at++) {
    const candidate = followUp.next()
    if (candidate === undefined) return at
    followUp.judge(ranAt(candidate, distanceOf(candidate, at)))
  }
  return expect.unreachable('it goes on without end')
}

const scheduleOf = (...latencies: number[]) => latencies.map((value, at) => late(at + 1, value))

const values = (choices: readonly Choice[]) => choices.map(({ value }) => value)

/** Distances, or none, drawn by chance. */
const distances = fc.nat().map((seed) => {
  const draws = chance(seed)
  return Array.from({ length: MANY }, () => (draws.coin(0.1) ? undefined : draws.integer(0, 50)))
})

/** An entry's distance after it was followed: that of the execution whose record it has. */
function distanceAfter(make: (entry: Entry) => FollowUp, entry: Entry, first: number, told: (number | undefined)[]) {
  const seen = new Map<readonly Choice[], number | undefined>([[entry.record.schedule, first]])
  const seenInput = new Map<readonly Choice[], number | undefined>([[entry.record.input, first]])
  const count = follow(make(entry), (candidate, at) => {
    seen.set(candidate.schedule, told[at])
    seenInput.set(candidate.input, told[at])
    return told[at]
  })
  return { count, bySchedule: seen.get(entry.record.schedule), byInput: seenInput.get(entry.record.input) }
}

describe('refinement', () => {
  test('ends after a number of executions that grows with the logarithm, and the entry stays as near', () => {
    const latencies = fc.array(fc.oneof(fc.constant(0), fc.nat(20_000)), { maxLength: 200 })
    fc.assert(
      fc.property(latencies, fc.nat(50), distances, (made, first, told) => {
        const entry = entryOf(recordOf({ schedule: scheduleOf(...made) }))
        const before = entry.record.schedule
        const { count, bySchedule } = distanceAfter(
          (each) => new Refinement(new Pursuit(each, SITE, first)),
          entry,
          first,
          told,
        )
        expect(count).toBeLessThanOrEqual(Math.ceil(Math.log2(made.length + 1)) + 1 + 3 * 12)
        expect(entry.record.schedule === before || bySchedule! <= first).toBe(true)
      }),
      SETTINGS,
    )
  })

  test('finds the shortest beginning that is enough; there the next mutation goes', () => {
    for (let needed = 0; needed <= 20; needed++) {
      const entry = entryOf(recordOf({ schedule: scheduleOf(...Array(20).fill(700)) }))
      follow(new Refinement(new Pursuit(entry, SITE, 3)), ({ schedule }) => (schedule.length >= needed ? 3 : 9))
      expect(entry.record.schedule).toHaveLength(needed)
      if (needed < 20) expect(entry.place).toEqual({ lane: 'schedule', index: needed })
    }
  })

  test('makes what is late as little late as is enough, nearly', () => {
    for (const needed of [0, 1, 5, 80, 3000, 19_000]) {
      const entry = entryOf(recordOf({ schedule: scheduleOf(0, 20_000) }))
      follow(new Refinement(new Pursuit(entry, SITE, 3)), ({ schedule }) =>
        Number(schedule[1]?.value ?? -1) >= needed ? 3 : 9,
      )
      const [, { value }] = entry.record.schedule as [Choice, Choice]
      expect(value).toBeGreaterThanOrEqual(needed)
      expect(value).toBeLessThanOrEqual(Math.max(1, 2 * needed))
    }
  })

  test('keeps what comes nearer still, and holds on to that', () => {
    const entry = entryOf(recordOf({ schedule: scheduleOf(10, 20, 30) }))
    follow(new Refinement(new Pursuit(entry, SITE, 8)), ({ schedule }) => (schedule.length === 1 ? 2 : 8))
    expect(entry.record.schedule).toHaveLength(1)
  })
})

describe('descent', () => {
  /** It begins at a number of an input of three. */
  const begin = (value: number | bigint, min: number | bigint, max: number | bigint) => {
    const choice = { kind: 'latency' as const, label: 'x', min, max, value }
    return entryOf(recordOf({ input: [number(1), choice, number(2)] }))
  }

  const numberOf = ({ input }: Pick<TapeRecord, 'input'>) => BigInt(input[1]!.value)

  test('ends within its bound, in the range and with the other numbers as they were; the entry never gets further away', () => {
    const range = fc.tuple(fc.bigInt({ min: -(2n ** 80n), max: 2n ** 80n }), fc.bigInt({ min: 0n, max: 2n ** 80n }))
    fc.assert(
      fc.property(range, fc.nat(50), distances, ([min, width], first, told) => {
        const entry = begin(min + width / 3n, min, min + width)
        const { input } = entry.record
        let nearest = first
        const count = follow(new Descent(new Pursuit(entry, SITE, first), 1), (candidate, at) => {
          const value = numberOf(candidate)
          expect(value >= min && value <= min + width).toBe(true)
          expect([candidate.input[0], candidate.input[2]]).toEqual([number(1), number(2)])
          nearest = Math.min(nearest, told[at] ?? Number.POSITIVE_INFINITY)
          return told[at]
        })
        expect(count).toBeLessThanOrEqual(96)
        const again = distanceAfter(
          (each) => new Descent(new Pursuit(each, SITE, first), 1),
          begin(min + width / 3n, min, min + width),
          first,
          told,
        )
        expect(again.byInput ?? first).toBe(nearest)
        expect(entry.record.input === input).toBe(nearest === first)
      }),
      SETTINGS,
    )
  })

  test.each<[number | bigint, number | bigint, number | bigint, bigint]>([
    [0, 0, 1_000_000, 777_777n],
    [0, 0, 1_000_000, 1_000_000n],
    [1_000_000, 0, 1_000_000, 0n],
    [-5, -1_000_000_000, 1_000_000_000, -123_456_789n],
    [0, -0x1f_ffff_ffff_ffff, 0x1f_ffff_ffff_ffff, 0x1f_ffff_ffff_fffen],
    [0n, 0n, 2n ** 64n, 2n ** 63n + 12_345n],
  ])('from %s in %s..%s it comes to %s', (value, min, max, wanted) => {
    const entry = begin(value, min, max)
    const apart = (candidate: Pick<TapeRecord, 'input'>) => {
      const away = numberOf(candidate) - wanted
      return Number(away < 0n ? -away : away)
    }
    const count = follow(new Descent(new Pursuit(entry, SITE, apart(entry.record)), 1), apart)
    expect(count).toBeLessThanOrEqual(96)
    expect(numberOf(entry.record)).toBe(wanted)
    expect(typeof entry.record.input[1]!.value).toBe(typeof value)
  })

  test('climbs a target', () => {
    const entry = begin(10, 0, 100_000)
    const descent = new Descent(new Pursuit(entry, 'height', -10), 1)
    for (let at = 0; at < MANY; at++) {
      const candidate = descent.next()
      if (candidate === undefined) break
      const height = 5000 - Math.abs(Number(numberOf(candidate)) - 5000)
      descent.judge(observationOf({ targets: new Map([['height', height]]), record: recordOf({ ...candidate }) }))
    }
    expect(numberOf(entry.record)).toBe(5000n)
  })

  test('goes on where an execution drew less than it was to: there is no number any more', () => {
    const entry = begin(500, 0, 1000)
    const descent = new Descent(new Pursuit(entry, SITE, 50), 1)
    const candidate = descent.next()!
    descent.judge(observationOf({ compared: [[SITE, 1, 0]], record: recordOf({ ...candidate, input: [number(1)] }) }))
    expect(descent.next()).toBeUndefined()
  })
})

describe('trimming', () => {
  /** An entry that owns features, all of which no execution had shown before. */
  const owning = (record: TapeRecord, ...features: number[]) =>
    entryOf(record, { fresh: features, owned: new Set(features), work: 1000 })

  function trim(entry: Entry, showing: (candidate: Choices, at: number) => readonly number[]): number {
    const trimming = new Trimming(entry, TRIES)
    for (let at = 0; at < MANY; at++) {
      const candidate = trimming.next()
      if (candidate === undefined) return at
      trimming.judge(new Set(showing(candidate, at)), observationOf({ record: recordOf({ ...candidate }) }))
    }
    return expect.unreachable('it goes on without end')
  }

  test('ends within its bound, and keeps all that the entry owns', () => {
    const shown = fc.array(fc.subarray([1, 2, 3]), { minLength: 40, maxLength: 40 })
    const latencies = fc.array(fc.nat(3), { maxLength: 40 })
    fc.assert(
      fc.property(latencies, shown, (made, told) => {
        const entry = owning(recordOf({ schedule: scheduleOf(...made) }), 1, 2)
        // It owns one that others had shown before it.
        entry.owned.add(3)
        const showed = new Map<readonly Choice[], readonly number[]>()
        const before = entry.record
        const count = trim(entry, ({ schedule }, at) => {
          if (at > 0) showed.set(schedule, told[at]!)
          return told[at]!
        })
        expect(count).toBeLessThanOrEqual(TRIES + 1)
        const late = ({ schedule }: Choices) => schedule.filter(({ value }) => value !== 0).length
        expect(late(entry.record)).toBeLessThanOrEqual(late(before))
        if (entry.record !== before)
          expect(showed.get(entry.record.schedule)).toEqual(expect.arrayContaining([1, 2, 3]))
      }),
      SETTINGS,
    )
  })

  test('takes away all that is late and is not needed', () => {
    const entry = owning(recordOf({ schedule: scheduleOf(...Array(16).fill(900)) }), 1)
    trim(entry, ({ schedule }) => (Number(schedule[5]!.value) > 0 ? [1] : []))
    expect(Number(entry.record.schedule[5]!.value)).toBe(900)
    expect(values(entry.record.schedule).filter((value) => value !== 0).length).toBeLessThanOrEqual(4)
  })

  test('an entry that does not repeat is told of, and left as it is', () => {
    const entry = owning(recordOf({ schedule: scheduleOf(9, 9) }), 1, 2)
    const { record } = entry
    const trimming = new Trimming(entry, TRIES)
    expect(trimming.next()).toBe(record)
    const judged = trimming.judge(new Set([2]), observationOf({ record: recordOf({}) }))
    expect(judged).toEqual({ unstable: [1], smaller: false })
    expect(trimming.next()).toBeUndefined()
    expect(entry.record).toBe(record)
  })

  test('what has nothing late is only run again', () => {
    const entry = owning(recordOf({ schedule: scheduleOf(0, 0) }), 1)
    expect(trim(entry, () => [1])).toBe(1)
  })
})

describe('reordering', () => {
  /** Tasks of a chain each, one every so often; each keeps the loop for a while. */
  const [GAP_US, TASK_US] = [100, 15]
  const chainsOf = (latencies: readonly number[]): Choice[] =>
    latencies.map((value, at) => ({
      kind: 'latency',
      label: `0/0.${at + 1}:1 stat callback`,
      min: 0,
      max: 20_000,
      value,
      subject: { chain: `0/0.${at + 1}`, step: `0/0.${at + 1}:1`, operation: 'stat', point: 'callback', ordinal: 0 },
    }))
  function momentsOf(schedule: readonly Choice[]): Moment[] {
    let freeUs = 0
    const due = schedule.map(({ subject, value }, at) => ({
      subject: subject!,
      dueUs: GAP_US * at + Number(value),
      at,
    }))
    return due
      .sort((a, b) => a.dueUs - b.dueUs || a.at - b.at)
      .map(({ subject: { step, chain }, dueUs }) => {
        const atUs = Math.max(dueUs, freeUs)
        freeUs = atUs + TASK_US
        return { step, chain, point: 'callback', atUs, dueUs }
      })
  }
  const orderOf = (moments: readonly Moment[]) => moments.map(({ step }) => step)

  /**
   * Follows it while an order is wanted: the distance is what is left behind the beginning that is
   * right.
   */
  function reorder(wanted: readonly string[], schedule: readonly Choice[]): { count: number; left: number } {
    const leftOf = (choices: readonly Choice[]) => {
      const order = orderOf(momentsOf(choices))
      const common = order.findIndex((label, at) => label !== wanted[at])
      return common === -1 ? 0 : wanted.length - common
    }
    const entry = entryOf(recordOf({ schedule: [...schedule] }))
    entry.timeline = new Timeline(momentsOf(schedule))
    const followUp = new Reordering(new Pursuit(entry, SITE, leftOf(schedule)))
    let count = 0
    for (let next = followUp.next(); next !== undefined && count < MANY; next = followUp.next(), count++) {
      const record = recordOf({ ...next })
      followUp.judge(
        observationOf({ compared: [[SITE, leftOf(next.schedule), 0]], record, moments: momentsOf(next.schedule) }),
      )
    }
    return { count, left: leftOf(entry.record.schedule) }
  }

  test('brings about every order in which no task passes more than three others, in some ten executions a task', () => {
    const SIZE = 12
    const natural = chainsOf(Array(SIZE).fill(0))
    const rotations = fc.array(fc.integer({ min: 0, max: 3 }), { minLength: SIZE, maxLength: SIZE })
    fc.assert(
      fc.property(rotations, (passes) => {
        const waiting = orderOf(momentsOf(natural))
        // Each time one of the first four comes next.
        const wanted = passes.map((pass) => waiting.splice(Math.min(pass, waiting.length - 1), 1)[0]!)
        const { count, left } = reorder(wanted, natural)
        expect(left).toBe(0)
        expect(count).toBeLessThanOrEqual(10 * SIZE)
      }),
      SETTINGS,
    )
  })

  test('ends soon where no order makes a difference', () => {
    const natural = chainsOf(Array(40).fill(0))
    const entry = entryOf(recordOf({ schedule: natural }))
    entry.timeline = new Timeline(momentsOf(natural))
    expect(follow(new Reordering(new Pursuit(entry, SITE, 5)), () => 5)).toBeLessThan(20)
    expect(entry.record.schedule).toBe(natural)
  })
})
