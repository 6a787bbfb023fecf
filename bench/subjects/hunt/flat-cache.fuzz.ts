// flat-cache: what was set before save(), or before the persist interval, is there after load().
import assert from 'node:assert/strict'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { FlatCache } from 'flat-cache'
import { fc, fuzz } from 'norn'

const operation = fc.record({
  gap: fc.integer({ min: 0, max: 30 }),
  kind: fc.constantFrom('set', 'remove', 'save'),
  key: fc.constantFrom('a', 'b'),
})

fuzz(
  'flat-cache: what was set is loaded again',
  { operations: fc.array(operation, { maxLength: 8 }), interval: fc.constantFrom(0, 10) },
  async ({ operations, interval }) => {
    const cacheDir = await mkdtemp(join(tmpdir(), 'flat-cache-'))
    const cache = new FlatCache({ cacheDir, cacheId: 'id', persistInterval: interval })
    const expected = new Map<string, number>()
    for (const [index, { gap, kind, key }] of operations.entries()) {
      if (gap > 0) await sleep(gap)
      if (kind === 'set') {
        cache.setKey(key, index)
        expected.set(key, index)
      } else if (kind === 'remove') {
        cache.removeKey(key)
        expected.delete(key)
      } else cache.save()
    }
    if (interval === 0) cache.save()
    else await sleep(100)
    cache.stopAutoPersist()
    const loaded = new FlatCache({ cacheDir, cacheId: 'id' })
    loaded.load('id', cacheDir)
    for (const key of ['a', 'b']) assert.equal(loaded.getKey(key), expected.get(key), key)
  },
)
