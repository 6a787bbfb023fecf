// proper-lockfile 4.1.2
//
// The race is that of lockfile 0.4.2: contenders find a stale lock; one of them removes it and takes the lock, and the
// `rmdir` of another, issued before that, removes the lock that is held.
//
// Zero input: two contenders in the same tick, of which one has to be delayed.
import assert from 'node:assert/strict'
import { mkdir, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fc, fuzz } from 'norn'
import lockfile from 'proper-lockfile'

// A contender's operations may add up to some 600 ms of latency; only the abandoned lock may ever count as stale.
const stale_ms = 10_000
const hold_ms = 50

fuzz(
  'proper-lockfile: a lock has one holder',
  { gaps_ms: fc.array(fc.integer({ min: 0, max: 5 }), { minLength: 1, maxLength: 3 }) },
  async ({ gaps_ms }) => {
    const directory = await mkdtemp(join(tmpdir(), 'norn-'))
    const path = join(directory, 'work')
    await mkdir(`${path}.lock`)
    await sleep(2 * stale_ms)

    const holders = new Set<string>()
    const contend = async (name: string, start_ms: number) => {
      if (start_ms > 0) await sleep(start_ms)
      const options = { stale: stale_ms, update: stale_ms / 2, realpath: false, onCompromised: () => {} }
      const release = await lockfile.lock(path, options).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ELOCKED') throw error
      })
      if (release === undefined) return // somebody else holds it
      holders.add(name)
      assert.equal(holders.size, 1, 'two holders of one lock')
      await sleep(hold_ms)
      holders.delete(name)
      await release()
    }

    let start_ms = 0
    const contenders = [contend('a', start_ms)]
    for (const [index, gap_ms] of gaps_ms.entries()) {
      start_ms += gap_ms
      contenders.push(contend('bcd'.charAt(index), start_ms))
    }
    await Promise.all(contenders)
  },
)
