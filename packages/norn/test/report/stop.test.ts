import { expect, test } from 'vitest'
import { type Counted, stopLines } from '../../src/report/stop.ts'
import type { StopReadout } from '../../src/search/stop-estimate.ts'

const READOUT: StopReadout = {
  unguided: 2000,
  guided: 0,
  sampled: 1999,
  observed: 1999,
  samples: 400,
  species: 1718,
  lastDiscovery: 1992,
  expectedNext: 0.63,
  expectedPerThousand: 494.2,
  expectedByDoubling: 959.1,
  expectedAtMost: null,
  failureAtMost: 0.0075,
  depthExcluded: { depth: 0, executions: 2, chains: 9, points: 55 },
  schedulesPerInput: { inputs: 400, median: 5, min: 5, max: 5 },
  stability: { repeated: 18, same: 18 },
  faults: [],
  withheld: [],
}

const lines = (readout: Partial<StopReadout>) => stopLines({ ...READOUT, ...readout })

test('what is still to come is an estimate, what fails a bound with its confidence', () => {
  expect(lines({})).toEqual([
    'task orders and branches seen: 1,718, the last new one in execution 1992; new ones expected: about 959 in 1,999 more executions, about 494 in 1,000',
    'upper bound on the failure rate (95 %): 0.75 % of inputs drawn like these (400 inputs, 5 schedules each)',
    '18 of 18 repeated executions gave the same trace',
  ])
})

test('what was counted is called what it is', () => {
  const first = (counted: Counted) => stopLines(READOUT, counted)[0]?.split(' seen')[0]
  expect(first('orders')).toBe('task orders')
  expect(first('states')).toBe('abstract states')
  expect(first('events')).toBe('event orders at a node')
})

test('of one input the schedules are counted, and the depth that PCT excludes', () => {
  const told = lines({
    expectedNext: 0,
    expectedAtMost: 0.0015,
    samples: 2000,
    failureAtMost: 0.0015,
    depthExcluded: { depth: 2, executions: 933, chains: 2, points: 13 },
    schedulesPerInput: { inputs: 1, median: 2000, min: 2000, max: 2000 },
  })
  expect(told).toContain(
    'task orders and branches seen: 1,718, the last new one in execution 1992; less than 1 new one expected in 666 more executions (95 %)',
  )
  expect(told).toContain(
    'upper bound on the failure rate (95 %): 0.15 % of schedules drawn like these (2,000 executions)',
  )
  expect(told).toContain(
    'bugs of depth 2 or less are excluded for the most frequent input (95 %; 933 executions by pct, 2 chains, 13 schedule points)',
  )
})

test('faults that fired are told, the commonest first', () => {
  const faults = ['a', 'b', 'c', 'd', 'e'].map((operation, at) => ({ operation, fault: 'EIO', count: 9 - at }))
  expect(lines({ faults })).toContain('injected faults: a EIO 9, b EIO 8, c EIO 7, d EIO 6, and 1 more kind')
})

test('a withheld estimate has a line with its reason, unless the report says the reason already', () => {
  const same = { why: 'nothing varies', text: 'every execution is the same' } as const
  const flaky = { why: 'flaky', text: '1 failure did not repeat' } as const
  const few = {
    why: 'too little',
    text: 'too few executions: 3 samples by chance alone, 20 needed. Raise --time',
  } as const
  expect(lines({ withheld: [flaky, same] })).toEqual(['no estimate of the residual risk: every execution is the same'])
  expect(lines({ withheld: [flaky] })).toEqual([])
  expect(lines({ withheld: [few] })).toEqual([
    'no estimate of the residual risk: too few executions: 3 samples by chance alone, 20 needed. Raise --time',
  ])
})

test('where nothing can be extrapolated, nothing is said of new ones', () => {
  const seen = 'task orders and branches seen: 1,718, the last new one in execution 1992'
  expect(lines({ expectedByDoubling: null, expectedPerThousand: null })[0]).toBe(seen)
  expect(lines({ expectedNext: 1.2 })[0]).toBe(
    `${seen}; the next execution is likely to show another, so how many are left cannot be told`,
  )
})

test('branches are named only where they were counted', () => {
  expect(stopLines(READOUT, 'orders')[0]).toMatch('task orders seen: 1,718')
})

test('of a guided search the states of all executions are shown, and apart from them what chance alone saw', () => {
  expect(stopLines(READOUT, 'states', 40_000)[0]).toMatch(
    'abstract states seen: 40,000; by chance alone, in 1,999 executions, 1,718, the last new one in execution 1992; new',
  )
})
