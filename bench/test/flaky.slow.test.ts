/** The flaky suite on its own small cases, and what it reads and compares. */
import { expect, test } from 'vitest'
import { agreementOf, reasonsOf } from '../flaky/agreement.ts'
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

test('the catalogue has twenty suites and forty flakes, each once', () => {
  expect(new Set(SUITES.map(({ repository, folder }) => `${repository}/${folder}`)).size).toBe(20)
  expect(new Set(FLAKES.map(({ commit }) => commit)).size).toBe(40)
})
