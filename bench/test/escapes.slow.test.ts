/** Few programs that try to leave the world: strace sees none of them outside. */
import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { smokeRows } from './bench.ts'

test.skipIf(spawnSync('strace', ['--version']).status !== 0)('escapes', async () => {
  const rows = await smokeRows('robustness', '--part', 'escapes')
  const { programs, ran, touched } = rows.find(({ name }) => name === 'all')
  expect({ ran, touched }).toEqual({ ran: programs, touched: 0 })
})
