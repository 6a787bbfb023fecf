/** Campaigns of published tests, small, with modules that executions share and with modules of their own. */
import { expect, test } from 'vitest'
import { smokeRows } from './bench.ts'

test('every test has the same campaign on both sides', async () => {
  const rows = await smokeRows('fidelity', '--part', 'sharing', '--only', 'p-limit')
  expect(rows).toMatchObject([{ suite: 'sharing', package: 'p-limit', tests: 14, executions: 840, differences: [] }])
})
