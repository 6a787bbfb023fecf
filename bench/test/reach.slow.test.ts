/** The reach suite, small: the rows whose packages are dependencies of the repository, or part of Node. */
import { readdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { examine } from '../reach/examine.ts'
import { isUnexpected, ROWS, SMOKE } from '../reach/rows.ts'
import { smokeRows } from './bench.ts'

describe('the reach suite', () => {
  test('has a row for every program, and a program for every row', () => {
    const files = readdirSync(resolve(import.meta.dirname, '../reach/subjects'))
    const programs = files.filter((file) => file.endsWith('.fuzz.ts')).map((file) => file.replace('.fuzz.ts', ''))
    expect(ROWS.map(({ subject }) => subject).sort()).toEqual(programs.sort())
  })

  test('does not take for working a program whose planted race is not found', async () => {
    const { state, why } = await examine('lru-cache', { runs: 2, searches: 1, allowedAddons: [] })
    expect([state, why]).toEqual(['wrong', 'the planted race: not found in 1 executions'])
  })

  test.each([
    ['works', 'works', 'passes', false],
    ['wrong', 'works', 'passes', true],
    ['inconclusive', 'works', 'passes', true],
    ['works', 'works', 'fails', true],
    ['works', 'inconclusive', 'passes', true],
    ['inconclusive', 'inconclusive', 'needs a server', false],
  ])('%s where %s is expected, and stock Node %s: fails %j', (state, expected, stock, fails) => {
    expect(isUnexpected({ state, expected, stock })).toBe(fails)
  })

  test('finds planted races, and nothing in the corrected programs', async () => {
    const rows = await smokeRows('reach')
    expect(rows.map(({ subject }) => subject).sort()).toEqual([...SMOKE].sort())
    for (const row of rows) {
      expect(row).toMatchObject({ state: 'works', foundAt: expect.any(Number), passed: 30, stock: 'passes' })
    }
  })
})
