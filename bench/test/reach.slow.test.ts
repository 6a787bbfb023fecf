/** The reach suite, small: the rows whose packages are dependencies of the repository, or part of Node. */
import { describe, expect, test } from 'vitest'
import { examine } from '../reach/examine.ts'
import { isUnexpected, SMOKE } from '../reach/main.ts'
import { REACH } from '../subjects/catalogue.ts'
import { smokeRows } from './bench.ts'

describe('the reach suite', () => {
  test('does not take for working a program whose planted race is not found', async () => {
    const { state, why } = await examine(REACH.find(({ name }) => name === 'lru-cache')!.file, {
      runs: 2,
      searches: 1,
      allowedAddons: [],
    })
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
