import { inspect } from 'node:util'
import { describe, expect, test } from 'vitest'
import type { FoundFailure, SessionEvent } from '../../src/contract/events.ts'
import type { ExecutionResult } from '../../src/contract/execution.ts'
import { whatOf } from '../../src/contract/inconclusive.ts'
import type { Plan } from '../../src/contract/plan.ts'
import { latencyDomain } from '../../src/domains/latency/domain.ts'
import { type CampaignOptions, campaign, MAX_NOTES } from '../../src/search/campaign.ts'
import type { EarlierFailure } from '../../src/search/options.ts'
import type { Tape } from '../../src/tape/tape.ts'
import { drawAgain } from '../tape/draw-again.ts'
import { FakeExecutor, type FakeProgram, Void } from './fake.ts'

const OPTIONS: CampaignOptions = {
  seed: 1,
  strategy: 'random',
  examples: 0,
  runs: 200,
  expired: () => false,
  keepGoing: false,
  domain: latencyDomain,
  shrink: false,
  skip: 0,
}

type Emitted = Extract<SessionEvent, { failure: FoundFailure }>

/** Runs a campaign and writes down what was announced, in order. */
async function run(program: FakeProgram, more: Partial<CampaignOptions> = {}) {
  const executor = new FakeExecutor(program)
  const announced: string[] = []
  const failures: Emitted[] = []
  const started: Plan[] = []
  const summary = await campaign(
    executor,
    { ...OPTIONS, ...more },
    {
      starting: (_, plan) => started.push(plan),
      emit: (event) => {
        announced.push(announcement(event))
        if (event.type === 'found' || event.type === 'shrunk') failures.push(event)
      },
    },
  )
  return { executor, announced, failures, started, summary }
}

function announcement(event: SessionEvent): string {
  switch (event.type) {
    case 'found':
      return `found ${event.failure.result.failure!.message} at ${event.failure.foundAt}`
    case 'shrunk': {
      const { result, shrinking } = event.failure
      return `shrunk ${result.failure!.message}${shrinking === undefined ? ' not at all' : ''}`
    }
    case 'flaky':
      return `flaky at ${event.failure.foundAt}`
    case 'inconclusive': {
      const {
        execution,
        report: { reason },
      } = event
      return `void ${whatOf(reason)} at ${execution}`
    }
    default:
      return event.type
  }
}

const x = (tape: Tape) => tape.draw('input', 'x', 0, 99)

/** Passes a schedule point, so that inputs share the budget with schedules. */
const SUBJECT = { chain: '0', step: '0:1', operation: 'op', point: 'effect', ordinal: 0 } as const
const point = (tape: Tape) => drawAgain(tape, 'schedule', '0:1 op effect', 0, 20_000, { subject: SUBJECT })

const failsAbove50: FakeProgram = (tape) => {
  if (x(tape) > 50) throw new Error('above')
}

test('it stops at the first failure, which was seen twice', async () => {
  const { summary, announced, executor } = await run(failsAbove50)
  expect(announced).toEqual([`found above at ${summary.executions}`, 'shrunk above not at all'])
  expect(summary).toMatchObject({ failed: 1, distinctFailures: 1, flaky: 0, passed: summary.executions - 1 })
  expect(executor.results.filter(({ verdict }) => verdict === 'failed').length).toBe(2)
})

test('without a failure it runs its budget', async () => {
  const { summary, announced } = await run(point)
  expect(summary).toMatchObject({ executions: 200, passed: 200, failed: 0, maxPoints: 1, maxChains: 2 })
  expect(announced).toEqual([])
})

test('it runs nothing when its time is up', async () => {
  let asked = 0
  expect((await run(point, { expired: () => ++asked > 10 })).summary.executions).toBe(10)
})

test('a failure is announced before it is shrunk', async () => {
  const { announced, executor } = await run(failsAbove50, { shrink: true })
  expect(announced.map((text) => text.replace(/ at .*/, ''))).toEqual(['found above', 'shrunk above'])
  expect(executor.results.filter(({ verdict }) => verdict === 'failed').at(-1)!.choices!.input[0]!.value).toBe(51)
})

test('when it keeps going it finds the distinct failures, each once, and counts all', async () => {
  const { summary, announced } = await run(
    (tape) => {
      const value = x(tape)
      if (value >= 90) throw new RangeError('too large')
      if (value >= 80) throw new Error('large')
    },
    { keepGoing: true },
  )
  const found = announced.filter((text) => text.startsWith('found')).map((text) => text.replace(/ at .*/, ''))
  expect(found.sort()).toEqual(['found large', 'found too large'])
  expect(summary).toMatchObject({ executions: 200, distinctFailures: 2 })
  expect(summary.failed).toBeGreaterThan(20)
  expect(summary.passed).toBe(200 - summary.failed)
})

describe('a failure that does not repeat is flaky, not found', () => {
  test('when the second run passes', async () => {
    let failures = 0
    const { summary, announced } = await run((tape) => {
      if (x(tape) > 50 && failures++ === 0) throw new Error('once')
    })
    expect(announced[0]).toMatch(/^flaky at \d+$/)
    expect(announced.length).toBe(1)
    expect(summary).toMatchObject({ executions: 200, flaky: 1, failed: 1, distinctFailures: 0 })
  })

  test('but in open mode it counts, and nothing runs twice', async () => {
    let failures = 0
    const program: FakeProgram = (tape) => {
      if (x(tape) > 50 && failures++ === 0) throw new Error('once')
    }
    const { summary, announced, executor } = await run(program, { isOpen: true })
    expect(announced[0]).toMatch(/^found once at \d+$/)
    expect(summary).toMatchObject({ flaky: 0, failed: 1, distinctFailures: 1 })
    expect(executor.plans).toHaveLength(summary.executions)
  })

  test('when the second run fails with another trace', async () => {
    let calls = 0
    const { announced } = await run((tape) => {
      const value = x(tape)
      tape.draw('fault', `changing ${calls++}`, 0, 1)
      if (value > 50) throw new Error('above')
    })
    expect(announced.filter((text) => !text.startsWith('flaky'))).toEqual([
      `void something that makes two runs of one tape differ at 2`,
    ])
  })
})

test('what is void is counted each time, told once for each kind, and does not end the campaign', async () => {
  const { summary, announced } = await run((tape) => {
    const value = x(tape)
    if (value >= 80) throw new Void('net.connect')
    if (value >= 60) throw new Void('dgram.send')
  })
  expect(announced.map((text) => text.replace(/ at .*/, '')).sort()).toEqual(['void dgram.send', 'void net.connect'])
  expect(summary.voided).toBeGreaterThan(30)
  expect(summary).toMatchObject({ executions: 200, passed: 200 - summary.voided, failed: 0 })
})

test('a search most of whose executions are inconclusive for one reason ends after ten of them', async () => {
  const lost = (tape: Tape) => {
    if (x(tape) >= 20) throw new Void('net.connect')
  }
  const { summary, announced } = await run(lost)
  expect(summary.voided).toBe(10)
  expect(summary.executions).toBeLessThan(20)
  expect(announced.at(-1)).toBe('remark')
  const { summary: whole } = await run(lost, { keepGoing: true })
  expect(whole.executions).toBe(200)
})

test('everything announced is a function of the seed', async () => {
  const once = (seed: number) => run(failsAbove50, { seed, shrink: true, keepGoing: true })
  const [first, second, other] = [await once(1), await once(1), await once(2)]
  expect([second.announced, second.summary, second.executor.plans]).toEqual([
    first.announced,
    first.summary,
    first.executor.plans,
  ])
  expect(other.executor.plans).not.toEqual(first.executor.plans)
})

describe('executions that were run before are planned over again but not run', () => {
  const program: FakeProgram = (tape) => {
    x(tape)
    point(tape)
  }
  const names = (plans: readonly Plan[]) =>
    plans.map(({ input, choices }) => [input, choices.from === 'strategy' ? choices.name : undefined])

  test.each([2, 3, 11, 17])('after %i of them the same executions follow', async (skip) => {
    const whole = await run(program, { runs: 40, examples: 2 })
    const rest = await run(program, { runs: 40, examples: 2, skip })
    expect(names(rest.started)).toEqual(names(whole.started).slice(skip))
    expect(rest.summary).toMatchObject({ executions: 40, passed: 40 - skip })
  })

  test('the first one is not tried again if it is the one that was lost', async () => {
    const { executor } = await run(program, { runs: 5, skip: 1 })
    expect(executor.plans.every(({ choices }) => choices.from === 'strategy')).toBe(true)
  })
})

describe('the determinism guard', () => {
  /** Counts how often each execution was run, the planner's next one being another tape. */
  const repeats = (executor: FakeExecutor) => {
    const times = new Map<string, number>()
    for (const { input, choices } of executor.plans) {
      const key = inspect({ input, choices }, { depth: 9 })
      times.set(key, (times.get(key) ?? 0) + 1)
    }
    return [...times.values()].filter((count) => count > 1).length
  }

  test('runs the second execution twice, and one in a hundred of the others', async () => {
    const program: FakeProgram = (tape) => void x(tape)
    expect(repeats((await run(program, { runs: 2 })).executor)).toBe(1)
    const many = await run(program, { runs: 5000 })
    expect(repeats(many.executor)).toBeGreaterThan(30)
    expect(repeats(many.executor)).toBeLessThan(80)
    expect(many.summary).toMatchObject({ executions: 5000, passed: 5000 })
  })

  test('voids an execution that does not repeat', async () => {
    let runs = 0
    const { summary, announced } = await run((tape) => void tape.draw('schedule', `run ${++runs % 2}`, 0, 9))
    expect(announced).toEqual([`void something that makes two runs of one tape differ at 2`])
    expect(summary.voided).toBeGreaterThanOrEqual(1)
    expect(summary.passed).toBe(summary.executions - summary.voided)
  })

  test('leaves a failure to the check that every failure gets', async () => {
    const { summary, announced } = await run(
      (tape) => {
        if (tape.draw('input', 'x', 0, 9) >= 0) throw new Error('always')
      },
      { keepGoing: true, runs: 300 },
    )
    expect(announced).toEqual(['found always at 1', 'shrunk always not at all'])
    expect(summary).toMatchObject({ failed: 300, voided: 0, flaky: 0 })
  })
})

test('of notes whose labels have no end the first ones are remembered, and all that are required', async () => {
  class Noting extends FakeExecutor {
    override async execute(plan: Plan): Promise<ExecutionResult> {
      const result = await super.execute(plan)
      const count = this.plans.length
      return { ...result, notes: count > 1400 ? ['required'] : [`number ${count}`] }
    }
  }
  const ignore = () => {}
  const observer = { starting: ignore, emit: ignore }
  const options = { ...OPTIONS, runs: MAX_NOTES + 500, required: ['required'] }
  const summary = await campaign(new Noting((tape) => void x(tape)), options, observer)
  expect(summary.notes.length).toBe(MAX_NOTES + 1)
  expect(summary.missed).toEqual([])
})

describe('failures saved earlier', () => {
  const failsFrom: FakeProgram = (tape) => {
    const drawn = x(tape)
    if (drawn > 90) throw new TypeError('large')
    if (drawn > 50) throw new Error('above')
  }
  const recordOf = async (program: FakeProgram, more: Partial<CampaignOptions> = {}) => {
    const { failures } = await run(program, { shrink: true, ...more })
    const shrunk = failures.filter(({ type }) => type === 'shrunk')
    return shrunk.map(({ failure: { identity, result } }) => ({
      identity,
      example: undefined,
      choices: result.choices!,
    }))
  }
  const inputs = (failures: readonly Emitted[]) =>
    failures.map(({ failure }) => failure.result.choices!.input[0]!.value)

  test('one that still fails and is smaller stays, also if nothing is shrunk', async () => {
    const earlier = await recordOf(failsAbove50)
    const { failures } = await run(failsAbove50, { earlier, seed: 2 })
    expect(failures.map(({ type, isSaved }) => [type, isSaved])).toEqual([
      ['found', true],
      ['shrunk', undefined],
    ])
    expect(inputs(failures)[1]).toBe(51)
  })

  test('one that no longer fails is replaced', async () => {
    const earlier = await recordOf(failsAbove50)
    const changed: FakeProgram = (tape) => {
      if (x(tape) > 60) throw new Error('above')
    }
    const { failures } = await run(changed, { earlier, shrink: true, seed: 2 })
    expect(failures.some(({ isSaved }) => isSaved)).toBe(false)
    expect(inputs(failures).at(-1)).toBe(61)
  })

  test('one that is larger is replaced', async () => {
    const [small] = await recordOf(failsAbove50)
    const large = { ...small!, choices: { ...small!.choices, input: [{ ...small!.choices.input[0]!, value: 99 }] } }
    const { failures } = await run(failsAbove50, { earlier: [large as EarlierFailure], shrink: true })
    expect(inputs(failures).at(-1)).toBe(51)
  })

  test('an example does not take the place of another input', async () => {
    const earlier = (await recordOf(failsAbove50)).map((each) => ({ ...each, example: 0 }))
    const { failures } = await run(failsAbove50, { earlier, seed: 2 })
    expect(failures.some(({ isSaved }) => isSaved)).toBe(false)
  })

  test('one that was reported before the search is counted, and the search goes on for others', async () => {
    const [first] = await recordOf(failsFrom, { keepGoing: true })
    const { announced, summary } = await run(failsFrom, { known: [first!.identity], keepGoing: true })
    expect(announced.filter((text) => text.startsWith('found'))).toHaveLength(1)
    expect(summary).toMatchObject({ distinctFailures: 1, failedAsBefore: expect.any(Number) })
    expect(summary.failedAsBefore).toBeLessThan(summary.failed)
  })
})

test('an execution that no model followed says nothing about new states', async () => {
  let executions = 0
  class Following extends FakeExecutor {
    override async execute(plan: Plan): Promise<ExecutionResult> {
      const isPartial = ++executions % 4 > 0
      const observation = { species: () => [isPartial ? executions : 0], isPartial }
      return { ...(await super.execute(plan)), observation } as unknown as ExecutionResult
    }
  }
  const program: FakeProgram = (tape) => void x(tape)
  const { stop } = await campaign(new Following(program), OPTIONS, { starting: () => {}, emit: () => {} })
  expect(stop.observed).toBeLessThan(stop.sampled / 2)
  expect(stop.species.kept).toHaveLength(1)
})
