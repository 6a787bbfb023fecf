/** Hostile names in failures, few: none runs a module outside the project, and many would without the check. */
import { expect, test } from 'vitest'
import { smokeRows } from './bench.ts'

test('aliases', async () => {
  const rows = await smokeRows('robustness', '--part', 'aliases')
  expect(rows.map(({ name, ran }) => [name, ran])).toEqual(rows.map(({ name }) => [name, 0]))
  const all = rows.find(({ name }) => name === 'all')
  expect(all.refused + all.notFound + all.inside).toBe(all.cases)
  expect(all.unchecked).toBeGreaterThan(all.cases / 10)
})
