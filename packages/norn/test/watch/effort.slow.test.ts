/** What Linux tells of processes: of this one, which works, and of one that sleeps. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { effortOf, effortOfGroup } from '../../src/watch/effort.ts'

test.skipIf(!existsSync('/proc/self/stat'))(
  'processor time grows with work, and a sleeping process has none',
  async () => {
    const before = effortOf(process.pid)!
    while (effortOf(process.pid)!.cpuMs < before.cpuMs + 20);
    expect(effortOf(process.pid)!.isAsleep).toBe(false)

    const sleeper = spawn('sleep', ['60'], { detached: true, stdio: 'ignore' })
    await once(sleeper, 'spawn')
    try {
      // Its start may still be counted between two questions: ask until the group's answer stands.
      let [before, alone, after] = [effortOfGroup(sleeper.pid!), effortOf(sleeper.pid!), effortOfGroup(sleeper.pid!)]
      while (!before?.isAsleep || before.cpuMs !== after?.cpuMs || !after.isAsleep)
        [before, alone, after] = [after, effortOf(sleeper.pid!), effortOfGroup(sleeper.pid!)]
      expect(alone).toEqual(after)
    } finally {
      sleeper.kill('SIGKILL')
    }
  },
)

test('nothing is known of a process that is not there', () => {
  expect(effortOf(undefined)).toBeUndefined()
  expect(effortOfGroup(2 ** 30)).toBeUndefined()
})
