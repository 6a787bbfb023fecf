/** The stopping suite, small: estimates that are given are near the truth in nine simulations of ten. */
import { execFileSync } from 'node:child_process'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'

const MAIN = resolve(import.meta.dirname, '../main.ts')

test('stopping', () => {
  const lines = execFileSync(process.execPath, [MAIN, 'stopping', '--smoke', '--json'], { encoding: 'utf8' })
  const rows = lines
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  const given = rows.filter((row) => row.given > 0)
  expect(given.length).toBeGreaterThan(10)
  for (const row of given) expect(row.near).toBeGreaterThanOrEqual(0.9 * row.given)
})
