import { expect, test } from 'vitest'
import { quotasOf } from '../../../../src/cluster/faults/faults.ts'
import { StepCodes } from '../../../../src/cluster/steps.ts'
import { UNBOUNDED } from '../../../../src/contract/choices.ts'
import { ArchivedExecution } from '../../../../src/domains/cluster/search/archive.ts'
import { scheduleOf } from '../../../../src/domains/cluster/search/schedule.ts'
import { StepMutation } from '../../../../src/domains/cluster/search/step-mutation.ts'
import { chance } from '../../../../src/tape/chance.ts'

const codes = new StepCodes({ nodes: ['a', 'b', 'c'], network: {}, quotas: quotasOf({}) })
const seed = { kind: 'seed' as const, label: 'chance seed', min: 0, max: 0xffff_ffff, value: 5 }
const steps = Array.from({ length: 40 }, (_, at) => codes.deliver(at % 3, (at + 1) % 3, 1))

/** An execution with a seed of chance, and whose clients asked for so many things. */
function execution(requests: number): ArchivedExecution {
  const input = Array.from({ length: requests }, (_, at) => ({
    kind: 'value' as const,
    label: String(at),
    min: 0,
    max: 1000,
    value: at,
  }))
  return new ArchivedExecution({
    input: { from: 'tape' },
    base: { input, schedule: [], fault: [], spans: [], length: UNBOUNDED },
    steps,
    others: [seed],
    codes,
  })
}

const mutants = (kept: ArchivedExecution, at: number) => {
  const draws = chance(3)
  const mutation = new StepMutation()
  return Array.from({ length: 300 }, () => mutation.mutate({ kept, at }, kept, draws).choices)
}

test('a prefix is the steps that lead to a place, with all else that the execution drew', () => {
  const { choices } = new StepMutation().prefix({ kept: execution(2), at: 7 })
  expect(scheduleOf(choices.schedule)).toEqual({ steps: steps.slice(0, 7), others: [seed] })
  expect(choices.input).toHaveLength(2)
})

test('a stretch is a prefix that goes on with its last step, half as often as that was in it', () => {
  const { choices } = new StepMutation().stretch({ kept: execution(0), at: 7 })
  expect(scheduleOf(choices.schedule).steps).toEqual([...steps.slice(0, 7), steps[6], steps[6]])
  const { choices: first } = new StepMutation().stretch({ kept: execution(0), at: 0 })
  expect(scheduleOf(first.schedule).steps).toEqual([])
})

test('what clients ask for changes now and then, and the schedule stays as it was then', () => {
  const kept = execution(3)
  const others = mutants(kept, 20).filter(({ input }) => JSON.stringify(input) !== JSON.stringify(kept.base.input))
  expect(others.length).toBeGreaterThan(20)
  expect(others.length).toBeLessThan(100)
  for (const { schedule } of others) expect(scheduleOf(schedule).steps).toEqual(steps)
})

test('where clients ask for nothing that is drawn, schedules alone change', () => {
  for (const { input, schedule } of mutants(execution(0), 20)) {
    expect(input).toEqual([])
    expect(scheduleOf(schedule).others).toEqual([seed])
  }
})

test('most mutants change near the place that matters, some anywhere', () => {
  const firsts = mutants(execution(0), 20).map(({ schedule }) => {
    const mutated = scheduleOf(schedule).steps
    return steps.findIndex((step, at) => mutated[at] !== step)
  })
  const near = firsts.filter((at) => at >= 8 && at <= 24).length
  expect(near / firsts.length).toBeGreaterThan(0.5)
  expect(firsts.some((at) => at >= 0 && at < 5)).toBe(true)
})
