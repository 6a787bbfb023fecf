import { expect, test } from 'vitest'
import type { CampaignSummary } from '../../src/contract/campaign-summary.ts'
import { PLAIN } from '../../src/report/style.ts'
import { countsText, summaryText } from '../../src/report/summary.ts'
import { NO_STOP_TALLY } from '../../src/search/stop-estimate.ts'

const NOTHING = {
  executions: 0,
  discarded: 0,
  passed: 0,
  failed: 0,
  voided: 0,
  flaky: 0,
  distinctFailures: 0,
  maxPoints: 0,
  faults: 0,
  maxFaultPoints: 0,
}

function textOf(
  summary: Partial<CampaignSummary>,
  keepGoing = false,
  faultsAllowed = false,
  isInterrupted = false,
): string | undefined {
  const { executions = 0, failed = 0, voided = 0, discarded = 0 } = summary
  const passed = executions - failed - voided - discarded
  const whole = { ...NOTHING, passed, notes: [], missed: [], stop: NO_STOP_TALLY, maxChains: 0, ...summary }
  return summaryText(
    { property: 'p', summary: whole, isInterrupted, seed: 7, timeMs: 1250, keepGoing, faultsAllowed, risk: [] },
    PLAIN,
  )
}

test('a campaign without a failure says how much was tried, and whether anything could be late', () => {
  expect(textOf({ executions: 9, maxPoints: 1 })).toBe(
    '✓ p: 9 executions in 1.3 s, no failure (up to 1 schedule point, seed 7)',
  )
  expect(textOf({ executions: 9 })).toBe(
    '✓ p: 9 executions in 1.3 s, no failure (no schedule points: nothing asynchronous was scheduled, seed 7)',
  )
})

test('an interrupted search is no pass', () => {
  expect(textOf({ executions: 9, maxPoints: 1 }, false, false, true)).toBe(
    '? p: interrupted after 9 executions in 1.3 s, no failure (up to 1 schedule point, seed 7)',
  )
  expect(textOf({}, false, false, true)).toBe('? p: no execution: it was interrupted')
})

test('a search that saw the saved failures alone says so', () => {
  expect(textOf({ executions: 9, failed: 2, failedAsBefore: 2 }, true)).toBe(
    '✗ p: 9 executions in 1.3 s, no other failure (2 executions failed as the saved failures do)',
  )
})

test('it is in doubt where executions were void or flaky or have no verdict, or none was run', () => {
  expect(textOf({ executions: 9, voided: 1 })).toMatch(/^\? p: 9 executions in 1.3 s, no failure \(/)
  expect(textOf({ executions: 9, flaky: 1 })).toMatch(/^\? p: 9 executions in 1.3 s, no failure that repeats/)
  expect(textOf({ executions: 9, passed: 8 })).toMatch(/^\? p: 9 executions in 1.3 s, no failure \(/)
  expect(textOf({})).toBe('? p: no execution: the time limit was reached')
  expect(textOf({ executions: 9, passed: 0 })).toBe(
    '? p: 9 executions in 1.3 s; the process ended before it told their results',
  )
})

test('nothing is added to the one failure that was shown, nor to control that was lost every time', () => {
  expect(textOf({ executions: 9, distinctFailures: 1 })).toBeUndefined()
  expect(textOf({ executions: 9, voided: 9 })).toBeUndefined()
  expect(textOf({ executions: 9, distinctFailures: 2 }, true)).toBe('✗ p: 9 executions in 1.3 s, 2 distinct failures')
})

test('faults are counted where they are allowed, and missed where none came', () => {
  const some = { executions: 9, maxPoints: 2 }
  expect(textOf({ ...some, faults: 4, maxFaultPoints: 7 }, false, true)).toBe(
    '✓ p: 9 executions in 1.3 s, no failure (up to 2 schedule points, 4 faults, seed 7)',
  )
  expect(textOf(some, false, true)).toMatch(
    /seed 7\)\n {2}no fault was injected, although the option faults allows some: no operation could meet one/,
  )
  expect(textOf({ ...some, maxFaultPoints: 7 }, false, true)).toMatch(/\n {2}.*: none of up to 7 operations was chosen/)
  expect(textOf({ ...some, maxFaultPoints: 7 })).not.toContain('fault')
})

test('several properties are counted by their ends', () => {
  expect(countsText(['passed', 'failed', 'passed', 'passed'])).toBe('1 failed, 3 passed')
})

test('notes that were reached are named, a dozen of them, however many there are', () => {
  expect(textOf({ executions: 9, notes: ['full', 'rolled over'] })).toMatch(
    /\n {2}notes reached: 'full', 'rolled over'$/,
  )
  const notes = Array.from({ length: 40 }, (_, number) => `n${10 + number}`)
  expect(textOf({ executions: 9, notes })).toMatch(/'n10', .*'n21', and 28 more$/)
})

test('what faults and options name, and no execution had, is told', () => {
  const one = textOf({ executions: 9, faults: 2, uninjected: ['lookups'] }, false, true)
  expect(one).toContain('\n  ! faults.lookups is allowed, but no such fault was injected')
  expect(textOf({ executions: 9, unmatched: ["slow['GET /seets']"] })).toContain(
    "\n  ! option slow['GET /seets'] matched nothing",
  )
})
