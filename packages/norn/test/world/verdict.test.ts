import { describe, expect, test } from 'vitest'
import { DEFAULT_BOUNDS } from '../../src/world/execution.ts'
import { isTermination } from '../../src/world/realm/ending.ts'
import { type Outcome, Verdict } from '../../src/world/verdict.ts'

function judged(outcome: Outcome): unknown {
  const verdict = new Verdict()
  verdict.judgeBody(outcome, DEFAULT_BOUNDS)
  verdict.pass()
  const { ending } = verdict
  return ending?.kind === 'failed' ? ending.failure.kind : ending?.kind
}

describe('the body', () => {
  test.each([
    [{ how: 'fulfilled', value: 1 }, 'passed'],
    [{ how: 'rejected', error: new Error('no') }, 'error'],
    [{ how: 'idle' }, 'deadlock'],
    [{ how: 'steps' }, 'no progress'],
    [{ how: 'time' }, 'no progress'],
  ] as const)('that comes out as %j is judged: %s', (outcome, expected) => {
    expect(judged(outcome)).toBe(expected)
  })
})

test('modules that do not load are no finding of the schedule', () => {
  const verdict = new Verdict()
  verdict.judgeLoading({ how: 'idle' })
  expect(verdict.ending).toMatchObject({ kind: 'failed', failure: { kind: 'loading' } })
})

test('the first ending counts, and what throws to end the program changes nothing', () => {
  const verdict = new Verdict()
  expect(() => verdict.stop('too long')).toThrow('too long')
  verdict.fail({ kind: 'error', error: new Error('later') })
  verdict.pass()
  expect(verdict.ending).toMatchObject({ kind: 'failed', failure: { kind: 'no progress' } })
})

test('a refusal is inconclusive by name, throws to end the program, and shows the call that led there', () => {
  const verdict = new Verdict()
  const reason = { kind: 'uncontrolled operation', operation: 'a socket' } as const
  const way = new Error('fetch')
  way.stack = 'Error: fetch\n    at main (/project/main.js:1:2)'
  verdict.approach(way)
  let thrown: unknown
  try {
    Error.stackTraceLimit = 0
    verdict.refuse(reason)
  } catch (error) {
    thrown = error
  } finally {
    Error.stackTraceLimit = 10
  }
  expect(isTermination(thrown)).toBe(true)
  const stack = 'Termination: uncontrolled: a socket\n    at main (/project/main.js:1:2)'
  expect(verdict.ending).toEqual({ kind: 'inconclusive', reason, stack })
})

test('an operation past every gate is inconclusive, whatever the ending was', () => {
  const verdict = new Verdict()
  verdict.pass()
  verdict.lostControl()
  expect(verdict.ending).toMatchObject({ kind: 'inconclusive' })
  verdict.reset()
  expect(verdict.known).toBe(false)
})
