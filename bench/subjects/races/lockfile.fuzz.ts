// lockfile 0.4.2 -> 0.4.3
//
// The race: contenders a and b both find a stale lock file (open 'wx' fails, stat shows its age). a unlinks it and
// creates its own; b's unlink, issued before that, takes effect only now and removes the lock a holds; b creates its
// own: two holders. 0.4.3 removes a stale lock only while it holds `<path>.STALE`, and looks at its age once more.
//
// Zero input: two contenders in the same tick. By default they proceed in step, so both unlinks take effect
// before either creates its lock, and the second finds the first one's. Never more than three contenders: a fourth and
// a fifth would have to queue for the four threads of the pool, which alone may turn the order around.
import assert from 'node:assert/strict'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import lockFile from 'lockfile-buggy'
import { fc, fuzz } from 'norn'

// A contender's operations may add up to some 600 ms of latency; only the abandoned lock may ever count as stale.
const stale_ms = 10_000
const hold_ms = 50

const lock = promisify(lockFile.lock)
const unlock = promisify(lockFile.unlock)

fuzz(
  'lockfile: a lock has one holder',
  { gaps_ms: fc.array(fc.integer({ min: 0, max: 5 }), { minLength: 1, maxLength: 2 }) },
  async ({ gaps_ms }) => {
    const directory = await mkdtemp(join(tmpdir(), 'norn-'))
    const path = join(directory, 'work.lock')
    await writeFile(path, 'left behind by a process that died')
    await sleep(2 * stale_ms)

    const holders = new Set<string>()
    const contend = async (name: string, start_ms: number) => {
      if (start_ms > 0) await sleep(start_ms)
      try {
        await lock(path, { stale: stale_ms })
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'EEXIST') return // somebody else holds it
        throw error
      }
      holders.add(name)
      assert.equal(holders.size, 1, `two holders of one lock: ${[...holders].join(' and ')}`)
      await sleep(hold_ms)
      holders.delete(name)
      await unlock(path)
    }

    let start_ms = 0
    const contenders = [contend('a', start_ms)]
    for (const [index, gap_ms] of gaps_ms.entries()) {
      start_ms += gap_ms
      contenders.push(contend('bc'.charAt(index), start_ms))
    }
    await Promise.all(contenders)
  },
)
