import { expect, test } from 'vitest'
import { type Choices, UNBOUNDED } from '../../../../src/contract/choices.ts'
import type { ExecutionResult } from '../../../../src/contract/execution.ts'
import { clusterDomain } from '../../../../src/domains/cluster/domain.ts'
import { nearSteps } from '../../../../src/domains/cluster/search/near-steps.ts'
import { isRenumbered, stepsOf } from '../../../../src/domains/cluster/search/step-list.ts'
import { neighbourhood } from '../../../../src/search/neighbourhood.ts'
import { choice } from '../../../search/fake.ts'

const MAX = 50

const step = (ordinal: number, value: number, max = MAX) => choice(`${ordinal}`, value, max, 'step')
const seed = choice('chance seed', 7, 20_000, 'seed')

function recorded(...steps: number[]): Choices {
  const schedule = steps.flatMap((value, at) => (value === 0 ? [] : [step(at, value)]))
  return { input: [], schedule: [seed, ...schedule], fault: [], length: 30 }
}

const near = (...steps: number[]) => nearSteps(recorded(...steps)).map(stepsOf)

test('all steps come later or earlier together, from each of them on; none runs into those before it', () => {
  expect(near(0, 0, 3, 4).slice(0, 5)).toEqual([
    [0, 0, 0, 3, 4],
    [0, 0, 3, 0, 4],
    [0, 3, 4],
    [0, 0, 0, 0, 3, 4],
    [0, 0, 3, 0, 0, 4],
  ])
})

test('each comes later or earlier alone, past others, and each is left out', () => {
  const variants = near(0, 3, 4)
  for (const wanted of [
    [0, 4, 3],
    [3, 0, 4],
    [0, 3, 0, 4],
    [0, 0, 4],
    [0, 3],
    [0, 4],
  ]) {
    expect(variants).toContainEqual(wanted)
  }
})

test('what is no step stays, and the tape has no end', () => {
  for (const { schedule, length } of nearSteps(recorded(1, 2))) {
    expect(schedule[0]).toEqual(seed)
    expect(length).toBe(UNBOUNDED)
  }
})

test('the neighbourhood of steps is that, and fresh schedules after it; no numbers are scaled', () => {
  const now: ExecutionResult = { verdict: 'passed', inputChoices: 0, points: 9, chains: 2, durationUs: 1 }
  const plans = [...neighbourhood(clusterDomain, { from: 'tape' }, recorded(0, 9), now, 60)]
  const count = nearSteps(recorded(0, 9)).length
  for (const [at, { choices }] of plans.entries()) {
    expect(choices.from).toBe(at < count ? 'record' : 'strategy')
    if (choices.from === 'record') for (const step of stepsOf(choices.choices)) expect([0, 9]).toContain(step)
  }
})

test('where steps are numbered otherwise only fresh schedules are tried', () => {
  const choices = { ...recorded(), schedule: [step(0, 0, MAX + 1)] }
  const now: ExecutionResult = { verdict: 'passed', choices, inputChoices: 0, points: 9, chains: 2, durationUs: 1 }
  const plans = [...neighbourhood(clusterDomain, { from: 'tape' }, recorded(0, 9), now, 10)]
  expect(plans.map((plan) => plan.choices.from)).toEqual(Array(10).fill('strategy'))
})

test('steps are numbered otherwise where their bounds are others', () => {
  const now = (max: number) => ({ schedule: [step(0, 0, max)] })
  expect(isRenumbered(recorded(1), now(MAX))).toBe(false)
  expect(isRenumbered(recorded(1), now(MAX + 9))).toBe(true)
  // A latency has whatever bounds it has.
  expect(isRenumbered({ schedule: [choice('0:1 read effect', 3, 5)] }, now(MAX))).toBe(false)
})
