/** The flaky suite on its own small cases, and what it reads and compares. */
import { expect, test } from 'vitest'
import { agreementOf, reasonsOf, verdictDifferences } from '../flaky/agreement.ts'
import { parseNorn } from '../flaky/norn-flaky.ts'
import { FLAKES, SUITES } from '../flaky/subjects.ts'
import { smokeRows } from './bench.ts'

test('every test of the cases runs as its runner says, and only the flaky one is flaky', async () => {
  const [agreement, speed, flake] = await smokeRows('flaky')
  expect(agreement).toMatchObject({ part: 'agreement', tests: 4, asRunner: 4, flaky: 1, differences: [] })
  expect(speed).toMatchObject({ part: 'speed', tests: 4, withPoints: 1 })
  expect(flake.before.tests).toEqual(['order.mjs: asks before it has read'])
  expect(flake.after.tests).toEqual([])
})

test('a test that norn does not run as its runner has the reason', () => {
  const norn = parseNorn([
    '{"type":"unloaded","file":"b.js","why":"cannot load b.js\\n  SyntaxError: no"}',
    '{"type":"test","file":"a.js","name":"one > fails","verdict":"failing","failure":{"message":"not\\nhere"}}',
    '{"type":"test","file":"a.js","name":"one > passes","verdict":"clean"}',
  ])
  const own = new Map([
    ['a.js: one fails', 'passed'],
    ['a.js: one passes', 'passed'],
    ['b.js: two', 'passed'],
  ] as const)
  const { differences, ...counts } = agreementOf(own, norn)
  expect(counts).toEqual({ tests: 3, asRunner: 1, flaky: 0 })
  expect(reasonsOf(differences)).toEqual([
    ['failing: not', 1],
    ['not run: SyntaxError: no', 1],
  ])
})

test('every test of the cases has the same first pass with fresh modules', async () => {
  const rows = await smokeRows('flaky', '--sharing')
  expect(rows).toMatchObject([{ part: 'sharing', tests: 4, unloaded: 0, differences: [] }])
})

test('a verdict, a count, a reason and a file that does not load differ between two calls of norn', () => {
  const line = (name: string, executions: number, message?: string) =>
    JSON.stringify({
      type: 'test',
      file: 'a.js',
      name,
      verdict: message === undefined ? 'clean' : 'failing',
      executions,
      points: 1,
      ...(message === undefined ? {} : { failure: { message } }),
    })
  const shared = parseNorn([line('same', 6), line('verdict', 6), line('count', 6), line('reason', 6, 'one')])
  const fresh = parseNorn([
    line('same', 6),
    line('verdict', 6, 'no'),
    line('count', 5),
    line('reason', 6, 'two'),
    '{"type":"unloaded","file":"b.js","why":"cannot load b.js"}',
  ])
  expect(verdictDifferences(shared, fresh)).toEqual([
    { test: 'a.js: verdict', shared: 'clean (6 executions, 1 points)', fresh: 'failing (6 executions, 1 points): no' },
    { test: 'a.js: count', shared: 'clean (6 executions, 1 points)', fresh: 'clean (5 executions, 1 points)' },
    {
      test: 'a.js: reason',
      shared: 'failing (6 executions, 1 points): one',
      fresh: 'failing (6 executions, 1 points): two',
    },
    { test: 'b.js', shared: 'not listed', fresh: 'cannot load b.js' },
  ])
})

test('the catalogue has twenty suites and forty flakes, each once', () => {
  expect(new Set(SUITES.map(({ repository, folder }) => `${repository}/${folder}`)).size).toBe(20)
  expect(new Set(FLAKES.map(({ commit }) => commit)).size).toBe(40)
})
