import { expect, test } from 'vitest'
import type { Choice } from '../../src/contract/choice.ts'
import type { ExecutionResult } from '../../src/contract/execution.ts'
import type { Explanation } from '../../src/contract/explanation.ts'
import { flakeKind } from '../../src/report/flake-kind.ts'

const START: Choice = { kind: 'clock', label: 'clock start', min: 0, max: 10_000, value: 999 }
const PHASE: Choice = { kind: 'phase', label: 'clock phase', min: 0, max: 999, value: 500 }
const SEED: Choice = { kind: 'seed', label: 'chance seed', min: 0, max: 9, value: 5 }

const explanation = { trace: [], notes: [], origins: new Map(), nearest: undefined } as unknown as Explanation

function kindOf(schedule: readonly Choice[], isMinimal: boolean, unless?: 'seed' | 'start of the clock') {
  const result = { failure: { kind: 'error' }, choices: { schedule } } as unknown as ExecutionResult
  return flakeKind({ result, explanation, file: 'a.test.js', after: [], unless, isMinimal })
}

test('the clock is to blame where nothing else departs, or all that departs is needed', () => {
  expect(kindOf([START], false)).toEqual({ kind: 'clock', what: 'the clock starts at 2026-01-01T00:00:00.999Z' })
  expect(kindOf([START, SEED], true)).toMatchObject({ kind: 'clock' })
  expect(kindOf([START, SEED], false)).toBeUndefined()
})

test('what to do where timers and Date count apart differs from what to do where the clock starts elsewhere', () => {
  const early = kindOf([PHASE], true)
  expect(early).toMatchObject({ kind: 'clock', what: 'the milliseconds of Date begin 0.5 ms after those of timers' })
  expect(early?.advice).toContain('allow one less')
  expect(kindOf([START, PHASE], true)?.advice).toBeUndefined()
})

test('random numbers are to blame where nothing else departs', () => {
  expect(kindOf([SEED], false)).toEqual({ kind: 'chance' })
})

test('what lets a test pass is to blame where it fails under the default schedule', () => {
  expect(kindOf([], true, 'seed')).toEqual({ kind: 'chance' })
  expect(kindOf([], true, 'start of the clock')).toEqual({
    kind: 'clock',
    what: 'the clock starts at 2026-01-01T00:00:00.000Z',
  })
  expect(kindOf([], true)).toBeUndefined()
})

test('code is slow where it takes more than a millisecond between two reads of the clock', () => {
  const pause = (value: number) =>
    ({ kind: 'latency', label: '0 clock pause', min: 0, max: 20_000, value, subject: { point: 'pause' } }) as Choice
  expect(kindOf([pause(998)], true)).toEqual({ kind: 'clock', what: 'a millisecond ends between two reads' })
  expect(kindOf([pause(1998)], true)).toEqual({ kind: 'pause' })
})
