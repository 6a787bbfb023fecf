/** When a process counts as hung, by looks that the test makes up. */
import { describe, expect, test } from 'vitest'
import { HangWatch, LOOK_MS, type Look } from '../../src/watch/hang-watch.ts'

const LIMITS = { taskMs: 1000, startMs: 30_000, sleepingFactor: 6 }

/** A process that works for this share of the time, and sleeps or waits for a processor otherwise. */
interface Process {
  readonly share: number
  readonly isAsleep?: boolean
  readonly sequenceAt?: (nowMs: number) => number | undefined
  readonly isFilling?: boolean
  /** Whether the system tells of processes. */
  readonly isKnown?: boolean
}

/** Looks at regular intervals; when the process counts as hung, and why. */
function hung(
  { share, isAsleep = false, sequenceAt = () => 1, isFilling = false, isKnown = true }: Process,
  { limits = LIMITS, before = undefined as number | undefined } = {},
): [nowMs: number, why: string] | undefined {
  const watch = new HangWatch(limits, 0, before)
  for (let nowMs = LOOK_MS; nowMs <= 300_000; nowMs += LOOK_MS) {
    const effort = isKnown ? { cpuMs: nowMs * share, isAsleep } : undefined
    const look: Look = { nowMs, sequence: sequenceAt(nowMs), effort, isFilling }
    const why = watch.hungFor(look)
    if (why !== undefined) return [nowMs, why]
  }
  return undefined
}

describe('an execution hangs', () => {
  test('after its limit of processor time, counted from its first look', () => {
    expect(hung({ share: 1 })).toEqual([1500, 'work'])
  })

  test('later on a busy machine, by as much as it gets less', () => {
    expect(hung({ share: 1 / 16 })).toEqual([16 * 1000 + 500, 'work'])
  })

  test('never while it waits for a processor', () => {
    expect(hung({ share: 0 })).toBeUndefined()
  })

  test('never, as long as others follow', () => {
    expect(hung({ share: 1, sequenceAt: (nowMs) => nowMs })).toBeUndefined()
  })

  test('later while its process fills its memory', () => {
    expect(hung({ share: 1, isFilling: true })).toEqual([3500, 'work'])
  })

  test('after several times its limit if it sleeps, or if nothing is known of it', () => {
    const sleeping = [6 * LIMITS.taskMs + 500, 'sleep']
    expect(hung({ share: 0, isAsleep: true })).toEqual(sleeping)
    expect(hung({ share: 0, isKnown: false })).toEqual(sleeping)
  })
})

test.each([undefined, 7])('starting may take half a minute, and longer tasks longer (last before: %s)', (before) => {
  const starting = { share: 1, sequenceAt: () => before }
  expect(hung(starting, { before })).toEqual([30_500, 'work'])
  expect(hung(starting, { before, limits: { ...LIMITS, taskMs: 40_000 } })).toEqual([40_500, 'work'])
})

test('time in which nobody looked counts as two looks of sleep', () => {
  const watch = new HangWatch({ ...LIMITS, taskMs: 250 }, 0, undefined)
  const look = (nowMs: number) => watch.hungFor({ nowMs, sequence: 1, effort: undefined, isFilling: false })
  expect([10, 60_000, 120_000, 180_000, 240_000].map(look)).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
    'sleep',
  ])
})
