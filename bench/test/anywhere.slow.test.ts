/** Replays from anywhere, few: other folders, environments and limits show the same failures. */
import { expect, test } from 'vitest'
import { smokeRows } from './bench.ts'

test('anywhere', async () => {
  const exact = { replays: 2, exact: 2, mismatches: 0 }
  expect(await smokeRows('robustness', '--part', 'anywhere')).toMatchObject([
    { failure: 'folders', ...exact },
    { failure: 'local', ...exact },
  ])
})
