import { expect, test } from 'vitest'
import { type Choices, UNBOUNDED } from '../../src/contract/choices.ts'
import type { ExecutionResult } from '../../src/contract/execution.ts'
import type { Plan } from '../../src/contract/plan.ts'
import { latencyDomain } from '../../src/domains/latency/domain.ts'
import { neighbourhood } from '../../src/search/neighbourhood.ts'
import { choice } from './fake.ts'

const recorded: Choices = {
  input: [],
  schedule: [choice('0:1 unlink effect', 400), choice('0:2 open effect', 0), choice('0/0.1:1 stat callback', 9000)],
  fault: [],
  length: 77,
}

const now: ExecutionResult = {
  verdict: 'passed',
  choices: {
    ...recorded,
    schedule: ['0:1 unlink effect', '0:5 unlink effect', '0:2 open effect', '0:1 start'].map((label) =>
      choice(label, 0),
    ),
  },
  inputChoices: 0,
  points: 4,
  chains: 2,
  durationUs: 100,
}

const near = (count: number) => [...neighbourhood(latencyDomain, { from: 'example', index: 3 }, recorded, now, count)]

const latenciesOf = (plan: Plan) =>
  plan.choices.from === 'record'
    ? plan.choices.choices.schedule.filter(({ value }) => value !== 0).map(({ label, value }) => `${label} ${value}`)
    : 'strategy' in plan.choices && plan.choices.strategy

test('it is the same each time, and each count is a beginning of a longer one', () => {
  expect(near(40)).toEqual(near(40))
  for (const count of [0, 1, 5, 9, 40]) expect(near(count)).toEqual(near(40).slice(0, count))
})

test('first the recorded latencies, scaled within their bounds, on a tape without an end', () => {
  const scaled = near(5)
  expect(scaled.map(latenciesOf)).toEqual([
    ['0:1 unlink effect 200', '0/0.1:1 stat callback 4500'],
    ['0:1 unlink effect 800', '0/0.1:1 stat callback 18000'],
    ['0:1 unlink effect 100', '0/0.1:1 stat callback 2250'],
    ['0:1 unlink effect 1600', '0/0.1:1 stat callback 20000'],
    ['0:1 unlink effect 4000', '0/0.1:1 stat callback 20000'],
  ])
  for (const { choices } of scaled) expect(choices).toMatchObject({ choices: { length: UNBOUNDED } })
})

test('then each operation of a kind that was late, late in its place, as recorded and as late as can be', () => {
  expect(near(9).slice(5).map(latenciesOf)).toEqual([
    ['0/0.1:1 stat callback 9000', '0:1 unlink effect 400'],
    ['0/0.1:1 stat callback 9000', '0:1 unlink effect 20000'],
    ['0/0.1:1 stat callback 9000', '0:5 unlink effect 400'],
    ['0/0.1:1 stat callback 9000', '0:5 unlink effect 20000'],
  ])
})

test('then fresh schedules, none of them the natural one, each once', () => {
  const fresh = near(60).slice(9)
  const names = fresh.map(({ choices }) => (choices.from === 'strategy' ? choices.name.seed : -1))
  expect(new Set(names).size).toBe(fresh.length)
  for (const seed of names) expect(seed % 16).toBeGreaterThan(0)
})

test('each fault moves to the operations of its kind, as recorded and in its other ways, while the others stay', () => {
  const faults = (...of: [string, number, number][]) =>
    of.map(([label, value, max]) => choice(label, value, max, 'fault'))
  const failing: Choices = { ...recorded, schedule: [], fault: faults(['0:1 write', 2, 4], ['0:3 close#1', 1, 1]) }
  const drawn = faults(['0:1 write', 0, 4], ['0:2 open', 0, 3], ['0:4 write#2', 0, 2], ['0:9 close', 0, 1])
  const plans = [
    ...neighbourhood(latencyDomain, { from: 'tape' }, failing, { ...now, choices: { ...failing, fault: drawn } }, 200),
  ]
  const moved = plans.slice(5).flatMap(({ choices }) => {
    if (choices.from !== 'record') return []
    return [choices.choices.fault.map(({ label, value }) => `${label} ${value}`)]
  })
  expect(moved).toEqual([
    ...[2, 1, 3, 4].map((value) => ['0:3 close#1 1', `0:1 write ${value}`]),
    ...[2, 1].map((value) => ['0:3 close#1 1', `0:4 write#2 ${value}`]),
    ['0:1 write 2', '0:9 close 1'],
  ])
})

test('the input is always that of the failure', () => {
  for (const { input } of near(60)) expect(input).toEqual({ from: 'example', index: 3 })
})
