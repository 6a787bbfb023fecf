import { createRequire } from 'node:module'
import Ajv from 'ajv'
import type { Log } from 'sarif'
import { expect, test } from 'vitest'
import { FAILURE_KINDS } from '../../src/contract/execution.ts'
import { sarifText } from '../../src/report/sarif.ts'
import { HOSTILE_PROBLEM, PROBLEM, UNDECIDED } from './problems.ts'

const require = createRequire(import.meta.url)
const ajv = new Ajv({ schemaId: 'auto', format: 'full' })
ajv.addMetaSchema(require('ajv/lib/refs/json-schema-draft-04.json'))
const validate = ajv.compile(require('@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json'))

/** The log of these problems; it has to be valid by the schema of SARIF. */
function logOf(problems: Parameters<typeof sarifText>[0], complete = true): Log {
  const log = JSON.parse(sarifText(problems, '1.2.3', complete)) as Log
  validate(log)
  expect(validate.errors ?? []).toEqual([])
  return log
}

test('a failure is an error at its place, under the rule of its kind', () => {
  const [run] = logOf([{ ...PROBLEM, rule: 'unhandled rejection' }]).runs
  expect(run!.results).toMatchObject([
    {
      ruleId: 'unhandled-rejection',
      level: 'error',
      message: { text: 'deposits are kept: 3 !== 5\nfound in execution 2\nreplay: npx norn replay a.json' },
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: 'test/account.fuzz.ts' },
            region: { startLine: 9, startColumn: 3 },
          },
        },
      ],
    },
  ])
  const { ruleId, ruleIndex } = run!.results![0]!
  expect(run!.tool.driver).toMatchObject({ name: 'norn', semanticVersion: '1.2.3' })
  expect(run!.tool.driver.rules![ruleIndex!]!.id).toBe(ruleId)
})

test('an inconclusive property is a warning', () => {
  const [run] = logOf([UNDECIDED]).runs
  expect(run!.results).toMatchObject([{ ruleId: 'inconclusive', level: 'warning' }])
})

test('a call without a problem has an empty list of results; one that was cut short says so', () => {
  expect(logOf([]).runs).toMatchObject([{ results: [], invocations: [{ executionSuccessful: true }] }])
  expect(logOf([], false).runs).toMatchObject([{ invocations: [{ executionSuccessful: false }] }])
})

test('each kind of failure has a rule', () => {
  const results = FAILURE_KINDS.map((rule) => ({ ...PROBLEM, rule }))
  const [run] = logOf(results).runs
  const ids = run!.tool.driver.rules!.map(({ id }) => id)
  expect(run!.results!.map(({ ruleId }) => ids.includes(ruleId!))).toEqual(results.map(() => true))
})

test('the same failure has the same fingerprint at another line, and another property another one', () => {
  const at = { ...PROBLEM, place: { path: 'elsewhere.ts', line: 1 } }
  const [run] = logOf([PROBLEM, at, { ...PROBLEM, property: 'q' }]).runs
  const [first, moved, other] = run!.results!.map(({ partialFingerprints }) => partialFingerprints)
  expect(moved).toEqual(first)
  expect(other).not.toEqual(first)
})

test('no path and no message breaks the log', () => {
  const [run] = logOf([HOSTILE_PROBLEM]).runs
  const { uri } = run!.results![0]!.locations![0]!.physicalLocation!.artifactLocation!
  expect(uri).toMatch(/^a%3Ab%2Cc%25\/[\w%.!~*'()-]+$/)
  expect(run!.results![0]!.message.text!.isWellFormed()).toBe(true)
})
