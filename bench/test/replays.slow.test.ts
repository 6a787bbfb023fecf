/**
 * Replays, small: a failure shows the same trace in fresh processes, and is followed into the fixed
 * version.
 */
import { expect, test } from 'vitest'
import { smokeRows } from './bench.ts'

test.each(['lockfile', 'write-file-atomic'])('%s', async (subject) => {
  const [row] = await smokeRows('robustness', '--part', 'replays', '--only', subject)
  const { processes, sameTrace, sameError, recorded, followed, fixed } = row
  expect({ sameTrace, sameError }).toEqual({ sameTrace: processes, sameError: processes })
  expect(recorded).toBeGreaterThan(0)
  expect({ followed, fixed }).toEqual({ followed: recorded, fixed: 'passed' })
})
