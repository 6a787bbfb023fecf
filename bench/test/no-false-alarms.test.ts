/** The suite no-false-alarms, small: the tests of real packages pass in the world as they pass on stock Node. */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { beforeAll, expect, test } from 'vitest'

// biome-ignore lint/suspicious/noExplicitAny: rows as they are printed
let rows: any[]

beforeAll(async () => {
  const main = fileURLToPath(new URL('../main.ts', import.meta.url))
  const { stdout } = await promisify(execFile)(process.execPath, [main, 'no-false-alarms', '--smoke', '--json'])
  const lines = stdout.trim().split('\n')
  rows = lines.map((line) => JSON.parse(line)).filter((row) => row.note === undefined)
})

test('packages of every kind are run', () => {
  expect(rows.map((row) => row.package)).toEqual(expect.arrayContaining(['async', 'fastq', 'graceful-fs', 'workq']))
  for (const { tests, executions, passedNatural } of rows) {
    expect(tests).toBeGreaterThan(0)
    expect(executions).toBe(5 * passedNatural)
  }
})

test('what passes on stock Node passes in the world, whatever is late', () => {
  for (const { package: name, passedStock, passedNatural, unexplained, void: voided } of rows) {
    expect({ name, passedNatural, unexplained }).toEqual({ name, passedNatural: passedStock - voided, unexplained: 0 })
  }
})
