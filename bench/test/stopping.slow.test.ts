/** The stopping suite, small: most estimates are near the truth. */
import { expect, test } from 'vitest'
import { smokeRows } from './bench.ts'

test('stopping', async () => {
  const rows = await smokeRows('stopping')
  const given = rows.filter((row) => row.given > 0)
  expect(given.length).toBeGreaterThan(10)
  for (const row of given) expect(row.near).toBeGreaterThanOrEqual(0.9 * row.given)
})
