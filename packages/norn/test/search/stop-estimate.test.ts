import { describe, expect, test } from 'vitest'
import { countsIn } from '../../../../bench/stopping/main.ts'
import { probabilities, simulate } from '../../../../bench/stopping/simulation.ts'
import type { StopTally } from '../../src/contract/campaign-summary.ts'
import type { ExecutionResult } from '../../src/contract/execution.ts'
import { DEFAULT_PLAN, type InputPlan, type Plan } from '../../src/contract/plan.ts'
import { expectedIn, expectedNext, failureBound } from '../../src/search/extrapolation.ts'
import { FULL_LENGTH } from '../../src/search/planner.ts'
import { addStops, readStop, StopEstimate } from '../../src/search/stop-estimate.ts'
import { chance } from '../../src/tape/chance.ts'
import { SCHEDULES_PER_INPUT } from '../../src/tape/name.ts'

const CALM = { executions: 1, distinctFailures: 0, voided: 0, flaky: 0, faultsAllowed: false, missed: [] }
const ESTIMATES = { chains: 2, points: 10, durationUs: 1000 }

function plan(inputPart: number, ordinal = 0, strategy = 'portfolio', input: InputPlan = { from: 'tape' }): Plan {
  const name = { seed: inputPart * SCHEDULES_PER_INPUT + ordinal, length: FULL_LENGTH }
  return { input, choices: { from: 'strategy', strategy, name, estimates: ESTIMATES } }
}

function passed(more: Partial<ExecutionResult> = {}): ExecutionResult {
  return { verdict: 'passed', inputChoices: 1, points: 10, chains: 2, durationUs: 1000, ...more }
}

/** A campaign of one execution an input, each showing what it is given. */
function campaignOf(shown: readonly (readonly number[])[], result = passed()): StopTally {
  const stop = new StopEstimate()
  for (const [at, species] of shown.entries()) stop.observe(at + 1, plan(at), result, species)
  return stop.tally()
}

const alike = (count: number) => Array.from({ length: count }, () => [1, 2])

describe('the expected number of new species', () => {
  test.each([
    [0.8, 1000],
    [1, 1000],
    [1.2, 300],
    [1.5, 1000],
    [2, 1000],
    [1.2, 10_000],
  ])('power law of exponent %d, %d samples: within a quarter of the truth in 9 of 10', (exponent, samples) => {
    const likelihoods = probabilities({ exponent, species: 3000, perSample: 10 })
    const near = Array.from({ length: 10 }, (_, at) => {
      const { seenIn, unseenIn } = simulate(likelihoods, samples, at + 1)
      const truth = unseenIn(1000)
      return Math.abs(expectedIn(1000, countsIn(seenIn, samples))! - truth) <= truth / 4
    })
    expect(near.filter(Boolean).length).toBeGreaterThanOrEqual(9)
  })

  test('in the readout it is per 1,000 executions, where five schedules of an input show nearly the same', () => {
    const inputs = 400
    const likelihoods = probabilities({ exponent: 1.2, species: 3000, perSample: 10 })
    const near = Array.from({ length: 10 }, (_, trial) => {
      const draws = chance(trial)
      const stop = new StopEstimate()
      const seen = new Set<number>()
      for (let input = 0; input < inputs; input++) {
        const species = likelihoods.flatMap((likelihood, at) => (draws.coin(likelihood) ? [at] : []))
        for (const each of species) seen.add(each)
        for (let ordinal = 0; ordinal < 5; ordinal++) stop.observe(1, plan(input, ordinal), passed(), species)
      }
      const truth = likelihoods.reduce((sum, each, at) => sum + (seen.has(at) ? 0 : 1 - (1 - each) ** 200), 0)
      return Math.abs(readStop(stop.tally(), CALM).expectedPerThousand! - truth) <= truth / 4
    })
    expect(near.filter(Boolean).length).toBeGreaterThanOrEqual(9)
  })

  test('it is the same of a tenth of the executions that are observed, while failures are bounded by all', () => {
    const likelihoods = probabilities({ exponent: 1.2, species: 3000, perSample: 10 })
    const draws = chance(8)
    const stop = new StopEstimate()
    const seen = new Set<number>()
    for (let at = 0; at < 4000; at++) {
      const isObserved = draws.coin(0.1)
      const species = likelihoods.flatMap((likelihood, each) => (draws.coin(likelihood) ? [each] : []))
      if (isObserved) for (const each of species) seen.add(each)
      stop.observe(at + 1, plan(at), passed(), isObserved ? species : undefined)
    }
    const readout = readStop(stop.tally(), CALM)
    const truth = likelihoods.reduce((sum, each, at) => sum + (seen.has(at) ? 0 : 1 - (1 - each) ** 1000), 0)
    expect(readout).toMatchObject({ samples: 4000, species: seen.size, failureAtMost: 0.00075 })
    expect(readout.observed).toBeLessThan(500)
    expect(Math.abs(readout.expectedPerThousand! - truth)).toBeLessThan(truth / 4)
  })

  test('in the next sample it is the share seen once; of none seen once, a bound', () => {
    expect(expectedNext({ samples: 50, species: 9, once: 5, twice: 1, thrice: 0 })).toEqual({ expected: 0.1 })
    expect(expectedNext({ samples: 60, species: 9, once: 0, twice: 1, thrice: 0 })).toEqual({
      expected: 0,
      atMost: 0.05,
    })
  })

  test('it is not told far beyond what was seen, nor from few beyond that at all', () => {
    const few = { samples: 300, species: 50, once: 20, twice: 10, thrice: 5 }
    expect(expectedIn(300, few)).toBeGreaterThan(0)
    expect(expectedIn(301, few)).toBeUndefined()
    const many = { ...few, once: 200, twice: 80 }
    expect(expectedIn(1200, many)).toBeGreaterThan(0)
    expect(expectedIn(1201, many)).toBeUndefined()
  })
})

test('the share that fails is bounded by 3/n of independent samples: inputs, not executions', () => {
  expect(failureBound(0)).toBe(1)
  expect(failureBound(300)).toBe(0.01)
  const stop = new StopEstimate()
  for (let at = 0; at < 500; at++) stop.observe(at + 1, plan(Math.floor(at / 5), at % 5), passed(), [1])
  expect(readStop(stop.tally(), CALM)).toMatchObject({
    unguided: 500,
    samples: 100,
    failureAtMost: 0.03,
    schedulesPerInput: { inputs: 100, median: 5, min: 5, max: 5 },
  })
})

describe('where there is but one input', () => {
  const sole = passed({ inputChoices: 0 })

  test('each execution is a sample, and all schedules are those of that input', () => {
    const stop = new StopEstimate()
    stop.observe(1, DEFAULT_PLAN, sole, [1])
    for (let at = 1; at <= 40; at++) stop.observe(at + 1, plan(at >> 4, at & 15), sole, [1])
    expect(readStop(stop.tally(), CALM)).toMatchObject({
      samples: 40,
      schedulesPerInput: { inputs: 1, median: 41, min: 41, max: 41 },
    })
  })

  test('a body that draws has more than one', () => {
    const stop = new StopEstimate()
    for (let at = 0; at < 64; at++)
      stop.observe(at + 1, plan(at >> 4, at & 15), passed({ inputChoices: 0, bodyChoices: 2 }), [])
    expect(readStop(stop.tally(), CALM)).toMatchObject({ samples: 4, schedulesPerInput: { inputs: 4, median: 16 } })
  })

  test('PCT excludes a depth after as many executions as its bound asks for, and not one earlier', () => {
    // ln 0.05 / ln(1 - 1/(2 * 10)) = 58.4 for depth 2, which needs depth 1 to be excluded too.
    const depthAfter = (executions: number) => {
      const stop = new StopEstimate()
      for (let at = 0; at < 200; at++) stop.observe(at, plan(at >> 4, at & 15, 'pct:1'), sole, [])
      for (let at = 0; at < executions; at++) stop.observe(at, plan(at >> 4, at & 15, 'pct:2'), sole, [])
      return readStop(stop.tally(), CALM).depthExcluded!.depth
    }
    expect([depthAfter(58), depthAfter(59)]).toEqual([1, 2])
  })

  test('executions that had no right to its bound do not count', () => {
    const executions = (plan: (at: number) => Plan, result = sole) => {
      const stop = new StopEstimate()
      for (let at = 0; at < 50; at++) stop.observe(at + 1, plan(at), result, [])
      return readStop(stop.tally(), CALM).depthExcluded!.executions
    }
    const short = (at: number): Plan => {
      const { input, choices } = plan(at, 0, 'pct')
      return { input, choices: { ...choices, name: { seed: at, length: 100 } } as Plan['choices'] }
    }
    expect(executions((at) => plan(at, 0, 'pct'))).toBe(50)
    expect(executions((at) => plan(at, 0, 'random'))).toBe(0)
    expect(executions(short)).toBe(0)
    expect(executions((at) => plan(at, 0, 'pct'), { ...sole, points: 11 })).toBe(0)
    expect(executions((at) => plan(at, 0, 'pct'), { ...sole, chains: 3 })).toBe(0)
  })
})

describe('claims are withheld, with the reason', () => {
  const CLAIMS = [
    'expectedNext',
    'expectedPerThousand',
    'expectedByDoubling',
    'expectedAtMost',
    'failureAtMost',
    'depthExcluded',
  ] as const

  test.each([
    ['flaky', { flaky: 1 }, alike(50), passed()],
    ['void', { voided: 1 }, alike(50), passed()],
    ['failure', { distinctFailures: 1 }, alike(50), passed()],
    ['no fault', { faultsAllowed: true }, alike(50), passed()],
    ['missed', { missed: ['empty queue'] }, alike(50), passed()],
    ['too little', {}, alike(19), passed()],
    ['nothing unguided', {}, [], passed()],
    ['nothing varies', {}, alike(50), passed({ inputChoices: 0, points: 0 })],
    ['nothing ran', { executions: 0 }, [], passed()],
  ] as const)('%s', (why, circumstances, shown, result) => {
    const readout = readStop(campaignOf(shown, result), { ...CALM, ...circumstances })
    expect(readout.withheld.map((reason) => reason.why)).toEqual([why])
    for (const claim of CLAIMS) expect(readout[claim]).toBeNull()
  })

  test('not where faults that were allowed fired, which are counted by operation and kind', () => {
    const fault = (operation: string, fault: string) => ({ label: '', operation, resource: 'a', fault })
    const faults = [fault('write', '3 of 10 bytes'), fault('open', 'EMFILE'), fault('write', '1 of 9 bytes')]
    const readout = readStop(campaignOf(alike(50), passed({ faults })), { ...CALM, faultsAllowed: true })
    expect(readout).toMatchObject({
      withheld: [],
      faults: [
        { operation: 'write', fault: 'short', count: 100 },
        { operation: 'open', fault: 'EMFILE', count: 50 },
      ],
    })
  })

  test('of nothing observed nothing is said about new ones, but failures are bounded', () => {
    const stop = new StopEstimate()
    for (let at = 0; at < 100; at++) stop.observe(at + 1, plan(at), passed(), undefined)
    expect(readStop(stop.tally(), CALM)).toMatchObject({ withheld: [], expectedNext: null, failureAtMost: 0.03 })
  })
})

test('guided executions say nothing, whatever they show; nor do examples, which nobody drew', () => {
  const stop = new StopEstimate()
  for (let at = 0; at < 50; at++) stop.observe(2 * at + 1, plan(at), passed(), [1])
  for (let at = 0; at < 50; at++) stop.observe(2 * at + 2, plan(at), passed(), [100 + at], true)
  for (let at = 0; at < 4; at++)
    stop.observe(200 + at, plan(900, at, 'portfolio', { from: 'example', index: 0 }), passed(), [7])
  expect(readStop(stop.tally(), CALM)).toMatchObject({
    guided: 50,
    unguided: 54,
    samples: 50,
    species: 1,
    lastDiscovery: 1,
    schedulesPerInput: { inputs: 51, min: 1, max: 4 },
  })
})

describe('memory is bounded', () => {
  test('past the bound species are sampled by hash, and the counts stay right in the mean', () => {
    const likelihoods = probabilities({ exponent: 0.8, species: 20_000, perSample: 40 })
    const draws = chance(5)
    const [bounded, whole] = [new StopEstimate(1000), new StopEstimate()]
    for (let at = 0; at < 400; at++) {
      const species = likelihoods.flatMap((likelihood, rank) => (draws.coin(likelihood) ? [2 ** 40 + rank] : []))
      for (const stop of [bounded, whole]) stop.observe(at + 1, plan(at), passed(), species)
    }
    const [sampled, exact] = [bounded.tally(), whole.tally()]
    expect(sampled.species.kept.length).toBeLessThanOrEqual(1000)
    expect(exact.species.kept.length).toBeGreaterThan(4000)
    const [estimated, known] = [sampled, exact].map((tally) => readStop(tally, CALM))
    for (const key of ['species', 'expectedNext', 'expectedByDoubling'] as const) {
      expect(Math.abs(estimated![key]! / known![key]! - 1)).toBeLessThan(0.15)
    }
  })
})

test('tallies of several workers add up, in either order, to that of one that saw it all', () => {
  const fault = { label: '', operation: 'open', resource: 'a', fault: 'EMFILE' }
  const [all, first, second] = [new StopEstimate(), new StopEstimate(), new StopEstimate()]
  for (let at = 0; at < 60; at++) {
    const species = Array.from({ length: 8 }, (_, bit) => (at * 7 + bit * bit) % 40)
    const observed = [at + 1, plan(at), passed({ faults: [fault] }), species] as const
    all.observe(...observed)
    ;(at < 25 ? first : second).observe(...observed)
    all.repeated(at % 9 > 0)
    ;(at < 25 ? first : second).repeated(at % 9 > 0)
  }
  const [whole, a, b] = [all.tally(), first.tally(), second.tally()]
  const read = (tally: StopTally) => ({ ...readStop(tally, CALM), lastDiscovery: 0 })
  expect(read(addStops(a, b))).toEqual(read(whole))
  expect(addStops(b, a)).toEqual(addStops(a, b))
})
