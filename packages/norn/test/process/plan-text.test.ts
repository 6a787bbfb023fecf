import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Plan } from '../../src/contract/plan.ts'
import { PLAN_NUMBERS, planText, readPlan } from '../../src/process/plan-text.ts'
import { saveInput } from '../../src/property/input/saved-input.ts'

const word = fc.nat(0xffff_ffff)
const alias = fc.oneof(fc.record({ alias: fc.string({ unit: 'binary' }) }), fc.constant({}))
const choice = fc
  .tuple(
    fc.string({ unit: 'binary' }),
    alias,
    fc.oneof(fc.tuple(fc.integer(), fc.nat()), fc.tuple(fc.bigInt(), fc.bigInt({ min: 0n }))),
  )
  .map(([label, named, [min, width]]) => {
    const max = (min as number) + (width as number)
    return { label, min, max, value: max, ...named }
  })
const lane = (...kinds: readonly string[]) =>
  fc.array(
    fc.tuple(choice, fc.constantFrom(...kinds)).map(([each, kind]) => ({ kind, ...each })),
    { maxLength: 4 },
  )
const record = fc.record({
  input: lane('value'),
  schedule: lane('latency', 'step'),
  fault: lane('fault'),
  length: word,
})
const estimates = fc.record({ points: fc.nat(), chains: fc.nat(), durationUs: fc.nat() })
const hold = fc.record({ from: fc.nat(), to: fc.nat(), first: fc.nat(), last: fc.nat() })
const weights = fc
  .array(fc.tuple(word, fc.double({ min: 0, noNaN: true, noDefaultInfinity: true })))
  .map((table) => ({ classes: table.map(([each]) => each), factors: table.map(([, factor]) => factor) }))
  .chain((table) =>
    fc.oneof(
      fc.constant(table),
      hold.map((each) => ({ ...table, hold: each })),
    ),
  )
const chance = fc.record(
  {
    strategy: fc.string(),
    name: fc.record({ seed: word, length: word }),
    estimates: fc.oneof(
      estimates,
      fc.tuple(estimates, fc.nat()).map(([each, faultPoints]) => ({ ...each, faultPoints })),
    ),
    weights,
  },
  { requiredKeys: ['strategy', 'name', 'estimates'] },
)
const choices = fc.oneof(
  chance.map((each) => ({ from: 'strategy', ...each })),
  fc.tuple(chance, record).map(([each, recorded]) => ({ from: 'mutation', choices: recorded, ...each })),
  record.map((recorded) => ({ from: 'record', choices: recorded, followBy: 'alias' })),
)
const input = fc.oneof(
  fc.constant({ from: 'tape' }),
  fc.nat().map((index) => ({ from: 'example', index })),
  fc.anything({ withBigInt: true, maxDepth: 1 }).map((value) => {
    const saved = saveInput({ values: { value }, draws: [{ label: 'drawn', value }] })
    return saved === undefined ? { from: 'tape' } : { from: 'saved', input: saved }
  }),
)
const observe = fc.record({
  counters: fc.boolean(),
  order: fc.boolean(),
  comparisons: fc.boolean(),
  model: fc.boolean(),
})
const plans = fc
  .tuple(input, choices, fc.option(fc.boolean(), { nil: undefined }), fc.option(observe, { nil: undefined }))
  .map(([from, drawn, detailed, observed]) => ({
    ...{ input: from, choices: drawn },
    ...(detailed === undefined ? {} : { detailed }),
    ...(observed === undefined ? {} : { observe: observed }),
  })) as fc.Arbitrary<Plan>

const numbers = new Float64Array(PLAN_NUMBERS)
const text = (plan: Plan) => planText(plan, numbers)
const read = (text: string): unknown => readPlan(text, numbers)

describe('a plan as text', () => {
  test('is that plan when it is read', () => {
    fc.assert(
      fc.property(plans, (plan) => void expect(read(text(plan))).toEqual(plan)),
      { numRuns: 1000, seed: 1 },
    )
  })

  test('is one line', () => {
    fc.assert(
      fc.property(plans, (plan) => void expect(text(plan)).not.toContain('\n')),
      { numRuns: 300, seed: 2 },
    )
  })

  test('is the same where plans differ in numbers only', () => {
    const named = (seed: number): Plan => {
      const estimates = { points: seed, chains: 1, durationUs: 2 }
      const choices = { from: 'strategy', strategy: 'pct', name: { length: 5, seed }, estimates } as const
      return { input: { from: 'tape' }, choices }
    }
    expect(text(named(1))).toBe(text(named(2)))
    expect(read(text(named(3)))).toEqual(named(3))
  })
})
