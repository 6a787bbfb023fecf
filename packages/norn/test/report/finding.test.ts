import { expect, test } from 'vitest'
import type { ShrinkSummary } from '../../src/contract/campaign-summary.ts'
import { shrinkCommands, shrunkText, shrunkTitle } from '../../src/report/finding.ts'

const COMPLETE: ShrinkSummary = { executions: 40, improvements: 7, complete: true }
const STOPPED: ShrinkSummary = { executions: 40, improvements: 7, complete: false, stoppedBy: 'time' }
const UNTRIED: ShrinkSummary = { executions: 0, improvements: 0, complete: false, stoppedBy: 'time' }

test.each([
  [COMPLETE, 'shrunk in 40 executions: 1-minimal', 'smallest input'],
  [STOPPED, 'shrunk in 40 executions: stopped at the time limit', 'smallest input so far'],
  [UNTRIED, 'not shrunk: the time limit was reached', 'input'],
])('%j is said as %s', (shrinking, text, title) => {
  expect(shrunkText(shrinking, { from: 'tape' })).toBe(text)
  expect(shrunkTitle(shrinking)).toBe(title)
})

test('where shrinking was stopped, the report names the command that goes on', () => {
  expect(shrinkCommands('a.json', STOPPED)).toEqual([[['shrink', 'a.json'], 'go on shrinking']])
  expect(shrinkCommands('a.json', COMPLETE)).toEqual([])
  expect(shrinkCommands('a.json', undefined)).toEqual([])
  expect(shrinkCommands(undefined, STOPPED)).toEqual([])
})
