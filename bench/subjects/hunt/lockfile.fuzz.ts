import assert from 'node:assert/strict'
import { mkdtemp, readdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import lockFile from 'lockfile'
import { fc, fuzz } from 'norn'

const lock = promisify(lockFile.lock) as (path: string, options: object) => Promise<void>
const unlock = promisify(lockFile.unlock) as (path: string) => Promise<void>

const contender = fc.record({ gap: fc.integer({ min: 0, max: 30 }), hold: fc.integer({ min: 1, max: 50 }) })
const contenders = fc.array(contender, { minLength: 1, maxLength: 3 })

/** Contenders for a stale lock, each of whom waits up to a second; `held` is called while a lock is held. */
async function contend(each: { gap: number; hold: number }[], held: (holders: number) => void): Promise<string[]> {
  const directory = await mkdtemp(join(tmpdir(), 'lockfile-'))
  const path = join(directory, 'work.lock')
  await writeFile(path, 'left behind by a process that died')
  await sleep(60_000)
  let holders = 0
  await Promise.all(
    each.map(async ({ gap, hold }) => {
      await sleep(gap)
      try {
        await lock(path, { stale: 20_000, wait: 1000 })
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'EEXIST') return
        throw error
      }
      held(++holders)
      await sleep(hold)
      holders--
      await unlock(path)
    }),
  )
  return readdir(directory)
}

fuzz('lockfile: a lock has one holder', { contenders }, async ({ contenders }) => {
  await contend(contenders, (holders) => assert.equal(holders, 1))
})

fuzz('lockfile: nothing is left behind', { contenders }, async ({ contenders }) => {
  assert.deepEqual(await contend(contenders, () => {}), [])
})
