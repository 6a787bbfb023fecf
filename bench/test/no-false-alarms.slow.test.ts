/** No false alarms, small: the tests of published packages pass in the world as on stock Node. */
import { beforeAll, expect, test } from 'vitest'
import { type Row, smokeRows } from './bench.ts'

let rows: Row[]

beforeAll(async () => {
  const lines = await smokeRows('fidelity', '--part', 'no-false-alarms')
  rows = lines.filter((row) => row.note === undefined)
})

test('packages of every kind are run', () => {
  expect(rows.map((row) => row.package)).toEqual(expect.arrayContaining(['async', 'fastq', 'graceful-fs', 'workq']))
  for (const { tests, executions, passedNatural } of rows) {
    expect(tests).toBeGreaterThan(0)
    expect(executions).toBe(5 * passedNatural)
  }
})

test('a test that passes on stock Node passes in the world under every schedule', () => {
  for (const { package: name, passedStock, passedNatural, unexplained, void: voided } of rows) {
    expect({ name, passedNatural, unexplained }).toEqual({ name, passedNatural: passedStock - voided, unexplained: 0 })
  }
})
