/** Few programs that try to leave the world: strace sees none of them outside. */
import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { smokeRows } from './bench.ts'

const isSkipped = spawnSync('strace', ['--version']).status !== 0 && process.env.CI === undefined
if (isSkipped) console.warn('skipped: there is no strace; `apt install strace` installs it')

test.skipIf(isSkipped)('escapes', async () => {
  const rows = await smokeRows('robustness', '--part', 'escapes')
  const { programs, ran, touched } = rows.find(({ name }) => name === 'all')
  expect({ ran, touched }).toEqual({ ran: programs, touched: 0 })
})
