/** The order of two steps that decides a failure: when one is found, and when none is claimed. */
import { describe, expect, it } from 'vitest'
import type { Choice } from '../../../src/contract/choice.ts'
import type { ExecutionResult } from '../../../src/contract/execution.ts'
import type { Attempting, Explained } from '../../../src/contract/explanation.ts'
import type { Plan } from '../../../src/contract/plan.ts'
import { labelOf } from '../../../src/contract/subject.ts'
import type { TraceEvent } from '../../../src/contract/trace.ts'
import { decidingOrder } from '../../../src/domains/latency/deciding.ts'
import { RESULT } from '../../session/scripted.ts'

/** When operations take effect without a delay: the inputs, then `after` the one that they follow. */
type Program = Readonly<Record<string, { readonly at: number | 'input'; readonly after?: string }>>

interface Order {
  /** Whether an operation takes effect before another. */
  precedes(one: string, other: string): boolean
  at(name: string): number
}

const MAX_US = 40_000

function execute(program: Program, isWrong: (order: Order) => boolean, { choices }: Plan): Explained {
  if (choices.from !== 'record') throw new Error('a record is expected')
  const { schedule, input } = choices.choices
  const drawn: Choice[] = []
  const times = new Map<string, number>()
  const labels = new Map<string, { label: string; chain: string }>()
  for (const [index, [name, { at, after }]] of Object.entries(program).entries()) {
    const chain = after === undefined ? `0/1.${index + 1}` : labels.get(after)!.chain
    const step = after === undefined ? 1 : Number(labels.get(after)!.label.split(':')[1]) + 1
    const subject = { chain, step: `${chain}:${step}`, operation: name, point: 'effect', ordinal: 0 } as const
    const value = Number(schedule.find(({ label }) => label === labelOf(subject))?.value ?? 0)
    drawn.push({ kind: 'latency', label: labelOf(subject), min: 0, max: MAX_US, value, subject })
    labels.set(name, { label: subject.step, chain })
    times.set(name, (times.get(after ?? '') ?? 0) + (at === 'input' ? 1000 * Number(input[0]!.value) : at) + value)
  }
  const names = Object.keys(program).sort((a, b) => times.get(a)! - times.get(b)!)
  const order: Order = {
    at: (name) => times.get(name)!,
    precedes: (one, other) => names.indexOf(one) < names.indexOf(other),
  }
  const of = (event: 'submit' | 'effect', name: string, atUs: number): TraceEvent => {
    return {
      event,
      ...labels.get(name)!,
      kind: name.split(' ', 1)[0]!,
      resource: name,
      atUs,
      delayUs: 0,
      outcome: 'ok',
    }
  }
  const trace = [
    ...names.map((name) => of('submit', name, 0)),
    ...names.map((name) => of('effect', name, order.at(name))),
  ]
  const failed: Partial<ExecutionResult> = isWrong(order) ? {} : { verdict: 'passed', failure: undefined }
  const inputText = `after_ms = ${input[0]?.value}`
  const result = { ...RESULT, ...failed, inputText, choices: { input, schedule: drawn, fault: [], length: 9 } }
  return { result, explanation: { trace, notes: [], origins: new Map() } }
}

/** What decides a failure of a program with these delays, as `first < second`. */
async function decides(program: Program, isWrong: (order: Order) => boolean, delays: Record<string, number>, ms = 1) {
  const run = async (plan: Plan) => execute(program, isWrong, plan)
  const attempting: Attempting = { execute: async (plan) => (await run(plan)).result, explain: run, steps: run }
  const input: Choice[] = [{ kind: 'value', label: 'after_ms', min: 0, max: 9, value: ms }]
  const from = (schedule: readonly Choice[]): Plan => ({
    input: { from: 'tape' },
    choices: { from: 'record', choices: { input, schedule, fault: [], length: 9 } },
  })
  const drawn = (await run(from([]))).result.choices!.schedule
  const plan = from(drawn.map((choice) => ({ ...choice, value: delays[choice.subject!.operation] ?? 0 })))
  const failing = await run(plan)
  expect(failing.result.verdict).toBe('failed')
  const { deciding: found } = await decidingOrder(attempting, plan.input, failing)
  if (found === undefined) return undefined
  const steps = [found.after ?? [], found.first, found.second].filter(({ length }) => length > 0)
  const text = steps.map((each) => each.map(({ step }) => step.resource).join(', ')).join(' < ')
  return found.inputText === undefined ? text : `${text} with ${found.inputText}`
}

const IN_USE: Program = { open: { at: 10 }, write: { at: 100, after: 'open' }, close: { at: 900 }, other: { at: 300 } }

describe('the order of two steps that decides', () => {
  it('is a use after a close, whatever else is delayed', async () => {
    expect(await decides(IN_USE, ({ precedes }) => precedes('close', 'write'), { write: 2000 })).toBe('close < write')
    expect(await decides(IN_USE, ({ precedes }) => precedes('close', 'write'), { open: 2000 })).toBe('close < write')
  })

  it('is a timeout against an answer, or an answer against who listens for it', async () => {
    const asked: Program = { timeout: { at: 5000 }, request: { at: 100 }, answer: { at: 100, after: 'request' } }
    expect(await decides(asked, ({ precedes }) => precedes('timeout', 'answer'), { answer: 9000 })).toBe(
      'timeout < answer',
    )
    const listened: Program = { listen: { at: 300 }, event: { at: 500 }, other: { at: 400 } }
    expect(await decides(listened, ({ precedes }) => precedes('event', 'listen'), { listen: 400 })).toBe(
      'event < listen',
    )
  })

  it('is the later of two steps of one chain, where that decides and the earlier one only comes with it', async () => {
    const renamed: Program = {
      close: { at: 100 },
      rename: { at: 100, after: 'close' },
      'close 2': { at: 150 },
      'rename 2': { at: 100, after: 'close 2' },
    }
    const isWrong = ({ precedes }: Order) => precedes('rename 2', 'rename')
    expect(await decides(renamed, isWrong, { close: 200 })).toBe('rename 2 < rename')
  })

  it('is that of two tasks that overlap, and pass one after the other', async () => {
    const two: Program = {
      'read 1': { at: 100 },
      'write 1': { at: 300, after: 'read 1' },
      'read 2': { at: 1000 },
      'write 2': { at: 300, after: 'read 2' },
    }
    const isLost = ({ precedes }: Order) => precedes('read 1', 'write 2') && precedes('read 2', 'write 1')
    expect(await decides(two, isLost, { 'write 1': 3000 })).toBe('read 1, read 2 < write 2, write 1')
  })

  it('is that of three steps, where one comes between the others', async () => {
    const upgraded: Program = { probe: { at: 100 }, switch: { at: 900 }, send: { at: 5 }, other: { at: 400 } }
    const isLost = ({ precedes }: Order) => precedes('probe', 'send') && precedes('send', 'switch')
    expect(await decides(upgraded, isLost, { send: 300 })).toBe('probe < send < switch')
  })

  it('is told of an input near one that fails under every schedule', async () => {
    const resumed: Program = { resume: { at: 'input' }, answer: { at: 500 } }
    const isWrong = ({ precedes, at }: Order) => at('resume') === 0 || precedes('resume', 'answer')
    expect(await decides(resumed, isWrong, {}, 0)).toBe('resume < answer with after_ms = 1')
  })
})

describe('no order is claimed', () => {
  it('where it takes two of them', async () => {
    const both = ({ precedes }: Order) => precedes('close', 'write') && precedes('other', 'open')
    expect(await decides(IN_USE, both, { open: 2000 })).toBeUndefined()
  })

  it('where a duration decides, and steps change places at about that time', async () => {
    expect(await decides(IN_USE, ({ at }) => at('write') > 1500, { write: 2000 })).toBeUndefined()
  })

  it('where only a delay makes it pass, which may hide what is wrong', async () => {
    const leaked: Program = { leak: { at: 100 }, check: { at: 5000 } }
    expect(await decides(leaked, ({ precedes }) => precedes('leak', 'check'), {})).toBeUndefined()
  })
})
