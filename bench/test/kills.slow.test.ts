/**
 * Kills and memory, small: no reported failure is lost, nothing is left, and memory does not grow.
 */
import { expect, test } from 'vitest'
import { smokeRows } from './bench.ts'

test('kills', async () => {
  const nothingLost = { kills: 3, missing: 0, torn: 0, notReplayed: 0, litter: 0, orphans: 0 }
  expect(await smokeRows('robustness', '--part', 'kills')).toMatchObject([nothingLost])
})

test('memory', async () => {
  const rows = ['tasks', 'fs', 'package', 'sockets', 'streams'].map((body) => ({ body }))
  expect(await smokeRows('robustness', '--part', 'memory')).toMatchObject(rows)
})
