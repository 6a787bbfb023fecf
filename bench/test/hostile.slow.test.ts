/** Few hostile network programs: none breaks norn, and norn shows of each what stock Node shows. */
import { expect, test } from 'vitest'
import { smokeRows } from './bench.ts'

test('hostile', async () => {
  const rows = await smokeRows('robustness', '--part', 'hostile')
  const { programs, executions, broken } = rows.find(({ name }) => name === 'all')
  expect(executions).toBeGreaterThan(3 * programs)
  expect(broken).toBe(0)
})
