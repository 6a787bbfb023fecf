/** The passes over schedules that are lists of steps, each alone. */

import { describe, expect, test } from 'vitest'
import { UNBOUNDED } from '../../../../src/contract/choices.ts'
import { stepsOf, withSteps } from '../../../../src/domains/cluster/search/step-list.ts'
import { deleteSteps } from '../../../../src/domains/cluster/shrink/delete-steps.ts'
import { explainByFewSteps } from '../../../../src/domains/cluster/shrink/few-steps.ts'
import { lowerSteps } from '../../../../src/domains/cluster/shrink/lower-steps.ts'
import { rearrange } from '../../../../src/domains/cluster/shrink/rearrange.ts'
import { LATENCY_POLICY } from '../../../../src/domains/latency/domain.ts'
import { type Failing, Shrinker } from '../../../../src/shrink/shrinker.ts'
import { choice, FakeExecutor, replayOf } from '../../../search/fake.ts'

const MAX = 99
const LENGTH = 20

const step = (ordinal: number, value: number) => choice(`${ordinal}`, value, MAX, 'step')
const seed = choice('chance seed', 7, 20_000, 'seed')

/** What a pass makes of steps, where a program fails if a condition holds of them. */
async function passed(
  pass: (shrinker: Shrinker) => Promise<void>,
  fails: (steps: readonly number[]) => boolean,
  ...steps: number[]
): Promise<number[]> {
  const executor = new FakeExecutor((tape) => {
    const drawn = Array.from({ length: LENGTH }, (_, ordinal) =>
      tape.draw('schedule', `${ordinal}`, 0, MAX, { kind: 'step' }),
    )
    if (fails(drawn)) throw new Error('failed')
  })
  const schedule = steps.map((value, ordinal) => step(ordinal, value))
  const failing = await executor.execute(replayOf({ schedule }))
  expect(failing.verdict).toBe('failed')
  const shrinker = new Shrinker(
    executor,
    { from: 'tape' },
    failing as Failing,
    () => false,
    1000,
    LATENCY_POLICY.compare,
  )
  await pass(shrinker)
  return stepsOf(shrinker.best.choices)
}

/** Whether steps hold a run. */
const holds =
  (...run: number[]) =>
  (steps: readonly number[]) =>
    steps.some((_, at) => run.every((value, more) => steps[at + more] === value))

describe('steps', () => {
  test('are the choices whose labels are ordinals; others are left alone', () => {
    const others = [seed, choice('1.2 read effect', 50)]
    const choices = { schedule: [...others, step(1, 4), step(3, 2), step(4, 0)] }
    expect(stepsOf(choices)).toEqual([0, 4, 0, 2])
    expect(withSteps(choices, [2, 0, 5])).toEqual({
      schedule: [...others, step(0, 2), step(2, 5)],
    })
  })
})

describe('delete steps', () => {
  test('what stands between two that belong together goes, and the second moves up', async () => {
    const apart = (steps: readonly number[]) => {
      const first = steps.indexOf(3)
      return first >= 0 && steps.indexOf(5, first) > 0
    }
    expect(await passed(deleteSteps, apart, 1, 3, 9, 9, 2, 5, 4)).toEqual([3, 5])
  })

  test('two that hold each other go together', async () => {
    const paired = (steps: readonly number[]) => holds(8)(steps) && steps.includes(3) === steps.includes(4)
    expect((await passed(deleteSteps, paired, 3, 0, 4, 8)).filter((step) => step !== 0)).toEqual([8])
  })

  test('a step that only makes time gives way to natural ones', async () => {
    const late = (steps: readonly number[]) => holds(8)(steps) && (steps.indexOf(8) >= 6 || steps.includes(7))
    expect(await passed(deleteSteps, late, 1, 7, 1, 8)).toEqual([0, 0, 0, 0, 0, 0, 8])
  })
})

describe('few steps', () => {
  test('one alone, at another place than it was recorded at', async () => {
    const one = (steps: readonly number[]) => holds(6, 7)(steps) || (steps[2] === 7 && steps[1] === 0)
    expect(await passed(explainByFewSteps, one, 1, 2, 6, 7)).toEqual([0, 0, 7])
  })
})

describe('rearrange', () => {
  test('removes what only goes after others have moved', async () => {
    // 7 is needless once 3 comes late enough, and that is no simpler by itself.
    const fails = (steps: readonly number[]) => {
      const at = steps.indexOf(3)
      return at >= 0 && (at >= 4 || steps.includes(7))
    }
    expect((await passed(rearrange, fails, 3, 9, 7, 9)).filter(Boolean)).toEqual([3])
  })

  test('lets one step do what two did, by its count', async () => {
    const delivered = (steps: readonly number[]) =>
      steps.reduce((sum, step) => sum + (step >= 11 && step <= 15 ? step - 10 : 0), 0)
    expect((await passed(rearrange, (steps) => delivered(steps) >= 4, 11, 11, 11, 11)).filter(Boolean)).toHaveLength(1)
  })
})

describe('lower steps', () => {
  test('to the smallest number that will do, by halves and one by one', async () => {
    expect(await passed(lowerSteps, ([first]) => first! >= 23 || first === 41, 47)).toEqual([23])
    expect(await passed(lowerSteps, ([first]) => first === 60 || first === 58, 60)).toEqual([58])
  })

  test('to another of a few that do as well', async () => {
    expect(await passed(lowerSteps, ([first]) => first === 60 || first === 17, 60)).toEqual([17])
  })

  test('the last one left to any step at an earlier position', async () => {
    const fails = (steps: readonly number[]) => steps[8] === 58 || steps[4] === 55
    expect(await passed(lowerSteps, fails, 0, 0, 0, 0, 0, 0, 0, 0, 58)).toEqual([0, 0, 0, 0, 55])
  })
})

test('passes end, within what they may spend', async () => {
  const executor = new FakeExecutor((tape) => {
    for (let ordinal = 0; ordinal < 300; ordinal++) tape.draw('schedule', `${ordinal}`, 0, MAX, { kind: 'step' })
    throw new Error('failed')
  })
  const schedule = Array.from({ length: 300 }, (_, ordinal) => step(ordinal, 1 + (ordinal % 7)))
  const failing = await executor.execute(replayOf({ schedule, length: UNBOUNDED }))
  const shrinker = new Shrinker(executor, { from: 'tape' }, failing as Failing, () => false, 50, LATENCY_POLICY.compare)
  for (const pass of [explainByFewSteps, lowerSteps, deleteSteps]) await pass(shrinker)
  expect(shrinker.executions).toBeLessThanOrEqual(50)
})
