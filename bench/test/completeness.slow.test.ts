/**
 * Completeness, small: norn reaches every order that stock Node shows, and none that is not
 * possible.
 */
import { expect, test } from 'vitest'
import { programs } from '../fidelity/completeness/programs.ts'
import { smokeRows } from './bench.ts'

test('every order that stock Node shows is reached', async () => {
  const rows = await smokeRows('fidelity', '--part', 'completeness')
  expect(rows.map(({ program }) => program)).toEqual(Object.keys(programs))
  for (const { program, stock, missing, impossible } of rows) {
    expect({ program, missing, impossible }).toEqual({ program, missing: [], impossible: [] })
    expect(Object.keys(stock).length).toBeGreaterThan(0)
  }
})
