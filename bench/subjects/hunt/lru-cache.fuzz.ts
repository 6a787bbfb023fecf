// lru-cache: what is set or deleted during a fetch is not undone by it; concurrent fetches of a
// key share one call.
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import { fc, fuzz } from 'norn'
import { pause } from './pause.ts'

const operation = fc.record({
  gap: fc.integer({ min: 0, max: 3 }),
  kind: fc.constantFrom('fetch', 'set', 'delete', 'forced fetch'),
  key: fc.constantFrom('a', 'b'),
})

fuzz(
  'lru-cache: a set or delete during a fetch holds',
  {
    operations: fc.array(operation, { maxLength: 6 }),
    ttl: fc.constantFrom(0, 2),
    allowStale: fc.boolean(),
    max: fc.constantFrom(1, 5),
  },
  async ({ operations, ttl, allowStale, max }) => {
    let calls = 0
    const cache = new LRUCache<string, string>({
      max,
      ttl,
      allowStale,
      fetchMethod: async (key) => {
        const call = calls++
        await pause(2)
        return `fetched ${key} ${call}`
      },
    })
    const last = new Map<string, string | undefined>()
    const pending: Promise<unknown>[] = []
    for (const [index, { gap, kind, key }] of operations.entries()) {
      if (gap > 0) await sleep(gap)
      if (kind === 'set') {
        cache.set(key, `set ${key} ${index}`)
        last.set(key, `set ${key} ${index}`)
      } else if (kind === 'delete') {
        cache.delete(key)
        last.set(key, undefined)
      } else {
        last.delete(key)
        pending.push(
          cache.fetch(key, { forceRefresh: kind === 'forced fetch' }).then(
            (value) => assert.ok(value === undefined || value.includes(` ${key} `), value),
            () => {},
          ),
        )
      }
    }
    await Promise.all(pending)
    await pause(3)
    if (max > 1 && ttl === 0) for (const [key, value] of last) assert.equal(cache.get(key), value)
  },
)

fuzz('lru-cache: concurrent fetches share one call', { count: fc.integer({ min: 1, max: 4 }) }, async ({ count }) => {
  let running = 0
  const cache = new LRUCache<string, number>({
    max: 5,
    fetchMethod: async () => {
      assert.equal(++running, 1)
      await pause(2)
      running--
      return 1
    },
  })
  const values = await Promise.all(Array.from({ length: count }, () => pause().then(() => cache.fetch('a'))))
  assert.deepEqual(new Set(values), new Set([1]))
})
