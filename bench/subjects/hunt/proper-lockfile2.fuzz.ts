// @bybrave/proper-lockfile2: a lock has one holder, also when its last holder died without
// releasing it.
import assert from 'node:assert/strict'
import { mkdir, mkdtemp, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import lockfile from '@bybrave/proper-lockfile2'
import { fc, fuzz } from 'norn'

const gaps = fc.array(fc.integer({ min: 0, max: 30 }), { minLength: 1, maxLength: 3 })

fuzz('proper-lockfile2: a lock has one holder', { gaps }, async ({ gaps }) => {
  const file = join(await mkdtemp(join(tmpdir(), 'lock-')), 'data')
  await writeFile(file, '')
  await mkdir(`${file}.lock`) // left behind by a process that died
  await utimes(`${file}.lock`, 0, 0)
  let holders = 0
  await Promise.all(
    gaps.map(async (gap) => {
      await sleep(gap)
      const release = await lockfile.lock(file).catch(() => undefined)
      if (release === undefined) return
      assert.equal(++holders, 1)
      await sleep(100)
      holders--
      await release()
    }),
  )
})
