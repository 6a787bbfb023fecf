/** Which executions are tried to explain a failure, and which of them explains it. */

import { expect, test, vi } from 'vitest'
import type { Choice } from '../../src/contract/choice.ts'
import type { ExecutionResult } from '../../src/contract/execution.ts'
import type { Explanation } from '../../src/contract/explanation.ts'
import type { Plan, SavedInput } from '../../src/contract/plan.ts'
import type { TraceEvent } from '../../src/contract/trace.ts'
import { type Worker, WorkerLost } from '../../src/process/worker.ts'
import { loadInput, saveInput } from '../../src/property/input/saved-input.ts'
import { withNearest } from '../../src/session/nearest.ts'
import { PROPERTY, RESULT } from './scripted.ts'

function explained(result: ExecutionResult, order: string) {
  const trace: TraceEvent[] = [...order].map((kind, atUs) => {
    return { event: 'effect', label: `0:${kind}`, chain: '0', kind, resource: '', atUs, delayUs: 0, outcome: 'ok' }
  })
  return { result, explanation: { trace, notes: [], origins: new Map() } }
}

function choice(kind: 'latency' | 'value', label: string, value: number, min = 0): Choice {
  const subject = { chain: '0', step: '0:1', operation: label, point: 'effect', ordinal: 0 } as const
  return { kind, label, min, max: 20, value, ...(kind === 'latency' ? { subject } : {}) }
}

interface Drawn {
  readonly delays?: Record<string, number>
  readonly inputs?: readonly number[]
}

/** What a program of two operations does: the order of its steps, `!` at the end where it fails. */
type Behaviour = (delays: Record<string, number>, inputs: readonly number[]) => string

async function nearestOf(behaves: Behaviour, { delays = {}, inputs = [] }: Drawn, as: Partial<ExecutionResult> = {}) {
  const tried: string[] = []
  const run = ({ choices }: Plan) => {
    if (choices.from !== 'record') throw new Error('a record is expected')
    const { schedule, input } = choices.choices
    const order = behaves(
      Object.fromEntries(schedule.map(({ label, value }) => [label, Number(value)])),
      input.map(({ value }) => Number(value)),
    )
    const verdict = order.endsWith('!') ? 'failed' : 'passed'
    return explained({ ...RESULT, verdict, choices: choices.choices }, order)
  }
  const choices = {
    input: inputs.map((value, index) => choice('value', `${index}`, value)),
    schedule: Object.entries(delays).map(([label, value]) => choice('latency', label, value)),
    ...{ fault: [], length: 5 },
  }
  const plan: Plan = { input: { from: 'tape' }, choices: { from: 'record', choices } }
  const executed = new Set<string>()
  const note = ({ explanation }: ReturnType<typeof explained>) =>
    tried.push(explanation.trace.map(({ kind }) => kind).join(''))
  const worker = {
    async lines(_: unknown, tries: Plan) {
      const explained = run(tries)
      if (!executed.has(JSON.stringify(tries))) note(explained)
      return explained
    },
    async execute(_: unknown, tries: Plan) {
      const explained = run(tries)
      executed.add(JSON.stringify(tries))
      note(explained)
      return explained.result
    },
  } as unknown as Worker
  const failing = run(plan)
  const { explanation } = await withNearest(worker, PROPERTY, plan, {
    ...failing,
    result: { ...failing.result, ...as },
  })
  return { nearest: (explanation as Explanation).nearest, tried }
}

/** a and b, then c: fails if a is 3 or more late. */
const race: Behaviour = ({ a = 0 }) => (a >= 3 ? 'bacx!' : a > 0 ? 'bac' : 'abc')

test('a delay is lowered by the least, and dropped; the execution that parts last explains', async () => {
  const { nearest, tried } = await nearestOf(race, { delays: { a: 3, z: 0 } })
  expect(tried).toEqual(['bac', 'abc'])
  expect(nearest).toMatchObject({ change: { lane: 'schedule', choice: { label: 'a', value: 3 }, value: 2 } })
})

test('a failure under the default schedule is explained by another input', async () => {
  const { nearest } = await nearestOf((_, [x]) => (x === 5 ? 'abcx!' : x === 6 ? 'abcd' : 'b'), { inputs: [5] })
  expect(nearest!.change).toMatchObject({ lane: 'input', choice: { value: 5 }, value: 6 })
})

test('an input is left alone if its arbitraries make another one now', async () => {
  let runs = 0
  const { nearest, tried } = await nearestOf(
    () => (runs++ === 0 ? 'ab!' : 'c'),
    { inputs: [5] },
    { traceHash: 'other' },
  )
  expect([nearest, tried]).toEqual([undefined, ['c']])
})

test('without a delay to drop, the last one that helps is added, by the least that helps', async () => {
  const lost: Behaviour = ({ a = 0, b = 0 }) => (a >= 2 ? 'ba' : b >= 7 ? 'ab' : 'abx!')
  const { nearest } = await nearestOf(lost, { delays: { a: 0, b: 0, c: 0 } })
  expect(nearest!.change).toMatchObject({ choice: { label: 'b' }, value: 7 })
})

test('of an input and a delay, the one that parts later explains', async () => {
  const drawn = { delays: { b: 0 }, inputs: [5] }
  const later = await nearestOf(({ b = 0 }, [x]) => (x !== 5 ? 'b' : b > 0 ? 'aby' : 'abx!'), drawn)
  expect(later.nearest!.change).toMatchObject({ lane: 'schedule', value: 1 })
  const other = await nearestOf(({ b = 0 }, [x]) => (x !== 5 ? 'aby' : b > 0 ? 'b' : 'abx!'), drawn)
  expect(other.nearest!.change).toMatchObject({ lane: 'input', value: 4 })
})

test('an execution that passes by the same steps explains nothing', async () => {
  const { nearest } = await nearestOf(() => 'ab', { delays: { a: 3 } }, { verdict: 'failed' })
  expect(nearest).toBeUndefined()
})

test('at most 24 executions are tried in each way', async () => {
  const delays = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`d${index}`, 5]))
  const { tried } = await nearestOf(() => 'ab!', { delays })
  expect(tried).toHaveLength(24)
})

test('when time is up before all is tried, nothing explains: what was tried depends on the machine', async () => {
  const lost: Behaviour = ({ a = 0 }) => (a >= 7 ? 'ab' : 'abx!')
  const now = vi.spyOn(performance, 'now')
  let ms = 0
  now.mockImplementation(() => (ms += 20_000))
  const { nearest, tried } = await nearestOf(lost, { delays: { a: 0 } }).finally(() => now.mockRestore())
  expect(tried.length).toBeGreaterThan(2)
  expect(nearest).toBeUndefined()
})

test.each([
  ['is shown without prototypes where it fails with ordinary objects too', 'wrong', 'r = { id: 1 }'],
  ['shows that objects have no prototype where it decides', undefined, 'r = [Object: null prototype] { id: 1 }'],
])('an input %s', async (_, message, text) => {
  const input = saveInput({ values: { r: Object.assign(Object.create(null), { id: 1 }) }, draws: [] })!
  const worker = {
    async execute(_: unknown, plan: Plan): Promise<ExecutionResult> {
      const { r } = loadInput((plan.input as { input: SavedInput }).input).values as { r: object }
      expect(Object.getPrototypeOf(r)).toBe(Object.prototype)
      return message === undefined ? { ...RESULT, verdict: 'passed', failure: undefined } : RESULT
    },
  } as unknown as Worker
  const choices = { input: [], schedule: [], fault: [], length: 5 }
  const bare = 'r = [Object: null prototype] { id: 1 }'
  const failing = explained({ ...RESULT, choices, input, inputText: bare }, 'ab')
  const { result } = await withNearest(worker, PROPERTY, { input: { from: 'saved', input } }, failing)
  expect(result.inputText).toBe(text)
})

test('a process that is lost ends the attempts', async () => {
  let asked = 0
  const worker = {
    async execute() {
      asked++
      throw new WorkerLost('hang', 'it hung', { sequence: 1, execution: 1, plan: { input: { from: 'tape' } } as Plan })
    },
  } as unknown as Worker
  const choices = { input: [], schedule: [choice('latency', 'a', 3), choice('latency', 'b', 3)], fault: [], length: 5 }
  const failing = explained({ ...RESULT, choices }, 'ab')
  expect(await withNearest(worker, PROPERTY, { input: { from: 'tape' } }, failing)).toEqual(failing)
  expect(asked).toBe(1)
})
