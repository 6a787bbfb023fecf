import { describe, expect, test } from 'vitest'
import { NO_CHOICES } from '../../src/contract/choices.ts'
import type { ExecutionResult } from '../../src/contract/execution.ts'
import type { Plan } from '../../src/contract/plan.ts'
import type { PlannerOptions } from '../../src/search/domain.ts'
import { Planner } from '../../src/search/planner.ts'
import { inputSeed, SCHEDULES_PER_INPUT, scheduleOrdinal } from '../../src/tape/name.ts'

const OPTIONS: PlannerOptions = { seed: 1, strategy: 'portfolio', examples: 0 }

function result(inputChoices: number, points: number, more: Partial<ExecutionResult> = {}): ExecutionResult {
  return { verdict: 'passed', inputChoices, points, chains: 3, durationUs: 500, ...more }
}

function plans(options: Partial<PlannerOptions>, count: number, observed: (index: number) => ExecutionResult): Plan[] {
  const planner = new Planner({ ...OPTIONS, ...options })
  return Array.from({ length: count }, (_, index) => {
    const plan = planner.next()
    planner.observe(observed(index))
    return plan
  })
}

const nameOf = ({ choices }: Plan) => {
  if (choices.from !== 'strategy') throw new Error('not drawn by chance')
  return choices.name
}

const inputs = (some: readonly Plan[]) => some.map((plan) => inputSeed(nameOf(plan).seed))
const ordinals = (some: readonly Plan[]) => some.map((plan) => scheduleOrdinal(nameOf(plan).seed))

test('the plans are a function of the seed and of the results', () => {
  const random = (index: number) => result(index % 3, (index * 7) % 5, { chains: index })
  expect(plans({}, 100, random)).toEqual(plans({}, 100, random))
  const seeds = [1, 2, 3].map((seed) => JSON.stringify(plans({ seed }, 20, () => result(1, 1))))
  expect(new Set(seeds).size).toBe(3)
})

test('the first plan is the zero input under the natural schedule', () => {
  const [first] = plans({ examples: 3 }, 1, () => result(1, 1))
  expect(first).toEqual({ input: { from: 'tape' }, choices: { from: 'record', choices: NO_CHOICES } })
})

describe('the budget is split between new inputs and new schedules', () => {
  test('with both, each input gets five schedules, of which the first is the natural one', () => {
    const [, ...rest] = plans({}, 51, () => result(4, 10))
    expect(ordinals(rest)).toEqual(Array.from({ length: 50 }, (_, index) => index % 5))
    expect(new Set(inputs(rest)).size).toBe(10)
  })

  test('without schedule points, each input gets one execution', () => {
    const [, ...rest] = plans({}, 51, () => result(4, 0))
    expect(new Set(inputs(rest)).size).toBe(50)
    expect(new Set(ordinals(rest))).toEqual(new Set([0]))
  })

  test('without input, only schedules are new, and the natural one is not run again', () => {
    const [, ...rest] = plans({}, 61, () => result(0, 10))
    expect(ordinals(rest)).not.toContain(0)
    expect(new Set(rest.map((plan) => nameOf(plan).seed)).size).toBe(60)
    expect(ordinals(rest).slice(0, SCHEDULES_PER_INPUT - 1)).toEqual(
      Array.from({ length: SCHEDULES_PER_INPUT - 1 }, (_, index) => index + 1),
    )
  })

  test('examples come before what is generated, each under as many schedules', () => {
    const [, ...rest] = plans({ examples: 2 }, 21, () => result(4, 10))
    const from = rest.map(({ input }) => (input.from === 'example' ? input.index : input.from))
    expect(from).toEqual([0, 0, 0, 0, 0, 1, 1, 1, 1, 1, ...Array.from({ length: 10 }, () => 'tape')])
  })
})

const VOID = { verdict: 'void', voided: { reason: { kind: 'unnamed operation' }, stack: '', frames: [] } } as const

test('the strategy is told what earlier executions were like; void ones do not count', () => {
  const estimates = (plan: Plan) => (plan.choices.from === 'strategy' ? plan.choices.estimates : undefined)
  const same = plans({}, 3, () => result(1, 40, { chains: 6, durationUs: 900 }))
  expect(estimates(same[1]!)).toEqual({ points: 40, chains: 6, durationUs: 900 })
  const voided = plans({}, 5, (index) => (index === 0 ? result(1, 40) : result(9, 999, VOID)))
  expect(estimates(voided[4]!)!.points).toBe(40)
  const drifting = plans({}, 50, (index) => result(1, index === 0 ? 10 : 100))
  expect(estimates(drifting[49]!)!.points).toBe(100)
})

test('names fit into 64 bits; about a fifth of the tapes are short', () => {
  const [, ...rest] = plans({}, 1001, () => result(1, 0))
  const lengths = rest.map((plan) => nameOf(plan).length)
  for (const plan of rest) {
    const { seed, length } = nameOf(plan)
    expect(seed >= 0 && seed <= 0xffff_ffff && Number.isInteger(seed)).toBe(true)
    expect(length > 0 && length <= 0xffff_ffff && Number.isInteger(length)).toBe(true)
  }
  const short = lengths.filter((length) => length <= 512).length
  // Mean 200, standard deviation 13.
  expect(Math.abs(short - 200)).toBeLessThan(60)
})

describe('operations that could meet a fault', () => {
  const estimated = (some: readonly Plan[]) =>
    some.map(({ choices }) => (choices.from === 'strategy' ? choices.estimates.faultPoints : undefined))

  test('make other schedules of one input worth trying, as schedule points do', () => {
    const [, ...rest] = plans({}, 51, () => result(4, 0, { faultPoints: 3 }))
    expect(ordinals(rest)).toEqual(Array.from({ length: 50 }, (_, index) => index % 5))
  })

  test('are estimated from executions without a fault, or from what one had before it', () => {
    const fault = { label: '0:1 open', operation: 'open', resource: 'a', fault: 'EIO' }
    const [, first, ...cut] = plans({}, 5, (index) =>
      result(1, 1, index === 0 ? { faultPoints: 80 } : { faultPoints: 2, faults: [fault] }),
    )
    expect(estimated([first!, ...cut])).toEqual([80, 80, 80, 80])
    const grown = estimated(plans({}, 40, (index) => result(1, 1, { faultPoints: index === 0 ? 10 : 100 })))
    expect(grown.at(-1)).toBeGreaterThan(95)
  })

  test('stand in no plan where there are none', () => {
    for (const { choices } of plans({}, 10, () => result(1, 1)).slice(1)) {
      expect(choices).toMatchObject({ estimates: expect.not.objectContaining({ faultPoints: expect.anything() }) })
    }
  })
})

test('PCT has long tapes where there is no input, for behind the end of a tape nothing is late', () => {
  const lengths = (strategy: string, inputChoices: number) =>
    plans({ strategy }, 501, () => result(inputChoices, 10))
      .slice(1)
      .map((plan) => nameOf(plan).length)
  expect(Math.min(...lengths('pct:2', 0))).toBeGreaterThan(512)
  expect(Math.min(...lengths('random', 0))).toBeLessThan(512)
  expect(Math.min(...lengths('pct:2', 3))).toBeLessThan(512)
})
