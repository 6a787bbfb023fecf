/** What is said of a campaign of a cluster that found nothing. */
import { expect, test } from 'vitest'
import type { VacuityTally } from '../../src/contract/vacuity.ts'
import { vacuityText } from '../../src/report/vacuity.ts'

const NOTHING: VacuityTally = {
  counted: 10,
  executions: 10,
  entries: {},
  requests: { made: 0, answered: 0 },
  faults: {},
}

const text = (tally: Partial<VacuityTally>) => vacuityText({ ...NOTHING, ...tally })
const times = (count: number, mapped = 0) => ({ count, mapped })

test('of nothing there is nothing to say', () => {
  expect(text({})).toEqual({ lines: [], doubts: [] })
  expect(text({ counted: 0, faults: { drops: 0 } })).toEqual({ lines: [], doubts: [] })
})

test('faults that are allowed and never happened are a doubt', () => {
  expect(text({ faults: { crashes: 3, drops: 0, duplicates: 0, partitions: 0 } }).doubts).toEqual([
    'no message was ever dropped, although drops are allowed',
    'no message was ever duplicated, although duplicates are allowed',
    'the network was never partitioned, although partitions are allowed',
  ])
  expect(text({ faults: { crashes: 0 } }).doubts).toEqual(['no node ever crashed, although crashes are allowed'])
})

test('a model of too many states is a doubt, with how often it told', () => {
  const actions = { Put: { enabled: 1, disabled: 0 } }
  expect(text({ actions, crowdedOut: 1200 }).doubts).toEqual([
    'too many abstract states: later ones count as one (in 1,200 executions). Use a coarser `project`',
  ])
})

test('requests are counted with their replies; hardly any reply is a doubt', () => {
  expect(text({ requests: { made: 12_000, answered: 11_999 } })).toEqual({
    lines: ['requests: 11,999 of 12,000 got a reply (99.9 %)'],
    doubts: [],
  })
  expect(text({ requests: { made: 100, answered: 0 } }).doubts).toEqual(['no request ever got a reply'])
  expect(text({ requests: { made: 1000, answered: 19 } }).doubts).toEqual(['only 1.9 % of the requests got a reply'])
  expect(text({ requests: { made: 5000, answered: 1 } }).doubts).toEqual([
    'only under 0.1 % of the requests got a reply',
  ])
})

test('what happened is told the rarest first; what was sent and never handled is a doubt', () => {
  const entries = {
    send: { Vote: times(9), Flush: times(2) },
    deliver: { Vote: times(8), Append: times(1234) },
    timeout: { election: times(4) },
    event: { elected: times(1) },
  }
  expect(text({ entries })).toEqual({
    lines: ['messages handled: Vote 8, Append 1,234', 'timers fired: election 4', 'events: elected 1'],
    doubts: ['sent but never handled: Flush'],
  })
})

test('a model: what it was told of, what was possible, and what never was', () => {
  const entries = {
    deliver: { Vote: times(90, 90), Ping: times(10) },
    timeout: { election: times(5) },
    send: { Vote: times(95), Ping: times(10) },
  }
  const actions = {
    Elect: { enabled: 60, disabled: 20, reason: 'no majority' },
    Commit: { enabled: 0, disabled: 20, reason: 'no leader\u001b[0m' },
    Snapshot: { enabled: 0, disabled: 0 },
  }
  const { lines, doubts } = text({ entries, actions })
  expect(lines.slice(-2)).toEqual([
    'mapped to actions of the model: 90.0 % of messages handled (never Ping); no timers',
    '60.0 % of 100 mapped actions were enabled in the model',
  ])
  expect(doubts).toEqual([
    'actions never taken: Snapshot',
    'action never enabled in the model: Commit (20 attempts; the first time: no leader\\u001b[0m)',
  ])
  expect(text({ entries, actions, isGuideOnly: true }).doubts[0]).toBe(
    'actions never taken (without --conformance also those that change nothing, if the mapping leaves them out): Snapshot',
  )
  expect(text({ actions: { Elect: { enabled: 0, disabled: 0 } } }).doubts).toEqual([
    'no log entry maps to an action of the model',
  ])
})

test('a sample says that it is one', () => {
  expect(text({ executions: 80, counted: 30 }).lines).toEqual(['log entries were counted in 30 of 80 executions'])
})

test('names of the program fill no screen', () => {
  const entries = {
    event: Object.fromEntries(Array.from({ length: 200 }, (_, n) => [`${'\u0007'.repeat(99)}${n}`, times(n)])),
  }
  const [line] = text({ entries }).lines
  expect(line!.length).toBeLessThan(500)
  expect(line).toMatch(/and 192 more$/)
})
