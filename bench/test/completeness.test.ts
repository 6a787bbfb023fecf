/** The completeness suite, small: norn reaches what stock Node shows, and nothing that is not possible. */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { programs } from '../completeness/programs.ts'

const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url))

test('whatever order stock Node shows is reached', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [MAIN, 'completeness', '--smoke', '--json'])
  const rows = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(rows.map(({ program }) => program)).toEqual(Object.keys(programs))
  for (const { program, stock, missing, impossible } of rows) {
    expect({ program, missing, impossible }).toEqual({ program, missing: [], impossible: [] })
    expect(Object.keys(stock).length).toBeGreaterThan(0)
  }
})
