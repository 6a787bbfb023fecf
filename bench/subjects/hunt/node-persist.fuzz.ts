// node-persist: the last setItem of a key wins.
import assert from 'node:assert/strict'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import persist from 'node-persist'
import { fc, fuzz } from 'norn'

const gaps = fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 4 })

fuzz('node-persist: the last setItem wins', { gaps }, async ({ gaps }) => {
  const storage = persist.create()
  await storage.init({ dir: await mkdtemp(join(tmpdir(), 'node-persist-')) })
  const stored: Promise<unknown>[] = []
  for (const [value, gap] of gaps.entries()) {
    if (gap > 0) await sleep(gap)
    stored.push(storage.setItem('key', value))
  }
  await Promise.all(stored)
  assert.equal(await storage.getItem('key'), gaps.length - 1)
})
