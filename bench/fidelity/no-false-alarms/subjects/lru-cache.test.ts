// lru-cache 11, by its readme: bounds, ages, disposal, fetching.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'

test('the least recently used item goes first', () => {
  const cache = new LRUCache<string, number>({ max: 2 })
  cache.set('a', 1).set('b', 2)
  cache.get('a')
  cache.set('c', 3)
  assert.deepEqual([...cache.keys()], ['c', 'a'])
})

test('peek() and has() do not count as use', () => {
  const cache = new LRUCache<string, number>({ max: 2 })
  cache.set('a', 1).set('b', 2)
  assert.equal(cache.peek('a'), 1)
  assert.equal(cache.has('a'), true)
  cache.set('c', 3)
  assert.equal(cache.has('a'), false)
})

test('sizes are bounded too', () => {
  const cache = new LRUCache<string, string>({ maxSize: 6, sizeCalculation: (value) => value.length })
  cache.set('a', 'aaa').set('b', 'bbb').set('c', 'c')
  assert.deepEqual([cache.has('a'), cache.calculatedSize], [false, 4])
})

test('dispose() is told why', () => {
  const seen: [string, number, string][] = []
  const cache = new LRUCache<string, number>({ max: 1, dispose: (value, key, why) => seen.push([key, value, why]) })
  cache.set('a', 1)
  cache.set('a', 2)
  cache.set('b', 3)
  cache.delete('b')
  assert.deepEqual(seen, [
    ['a', 1, 'set'],
    ['a', 2, 'evict'],
    ['b', 3, 'delete'],
  ])
})

test('an item is gone after its time', async () => {
  const cache = new LRUCache<string, number>({ max: 5, ttl: 20 })
  cache.set('a', 1)
  await sleep(60)
  assert.equal(cache.get('a'), undefined)
})

test('allowStale gives an old item once more', async () => {
  const cache = new LRUCache<string, number>({ max: 5, ttl: 5, allowStale: true })
  cache.set('a', 1)
  await sleep(50)
  assert.deepEqual([cache.get('a'), cache.get('a')], [1, undefined])
})

test('updateAgeOnGet renews an item', async () => {
  const cache = new LRUCache<string, number>({ max: 5, ttl: 1000, updateAgeOnGet: true })
  cache.set('a', 1)
  for (let each = 0; each < 4; each++) {
    await sleep(400)
    assert.equal(cache.get('a'), 1)
  }
})

test('ttlAutopurge removes without being asked', async () => {
  const cache = new LRUCache<string, number>({ ttl: 10, ttlAutopurge: true })
  cache.set('a', 1)
  await sleep(100)
  assert.equal(cache.size, 0)
})

test('getRemainingTTL() goes down', async () => {
  const cache = new LRUCache<string, number>({ max: 2, ttl: 1000 })
  cache.set('a', 1)
  const before = cache.getRemainingTTL('a')
  await sleep(50)
  assert.ok(cache.getRemainingTTL('a') < before)
})

test('fetch() fetches once for many who wait', async () => {
  let fetched = 0
  const cache = new LRUCache<string, string>({
    max: 5,
    fetchMethod: async (key) => {
      fetched++
      await sleep(5)
      return key.toUpperCase()
    },
  })
  assert.deepEqual(await Promise.all([cache.fetch('a'), cache.fetch('a'), cache.fetch('b')]), ['A', 'A', 'B'])
  assert.equal(await cache.fetch('a'), 'A')
  assert.equal(fetched, 2)
})

test('a fetch that fails rejects all who wait, and leaves nothing', async () => {
  const cache = new LRUCache<string, Buffer>({ max: 5, fetchMethod: (key) => readFile(key) })
  const both = await Promise.allSettled([cache.fetch('/nowhere/at/all'), cache.fetch('/nowhere/at/all')])
  assert.deepEqual(
    both.map(({ status }) => status),
    ['rejected', 'rejected'],
  )
  assert.equal(cache.size, 0)
})

test('a fetch that is evicted is aborted', async () => {
  const aborted: string[] = []
  const cache = new LRUCache<string, string>({
    max: 1,
    fetchMethod: async (key, _, { signal }) => {
      signal.addEventListener('abort', () => aborted.push(key))
      await sleep(10)
      return key
    },
  })
  const first = cache.fetch('a').catch((error: Error) => error.message)
  const second = cache.fetch('b')
  assert.equal(await second, 'b')
  await first
  assert.deepEqual(aborted, ['a'])
})

test('memo() computes once', () => {
  let computed = 0
  const cache = new LRUCache<number, number>({ max: 5, memoMethod: (key) => key * 2 + 0 * ++computed })
  assert.deepEqual([cache.memo(2), cache.memo(2), cache.memo(3), computed], [4, 4, 6, 2])
})

test('dump() and load()', async () => {
  const cache = new LRUCache<string, number>({ max: 5, ttl: 60_000 })
  cache.set('a', 1).set('b', 2)
  const dumped = cache.dump()
  await sleep(10)
  const other = new LRUCache<string, number>({ max: 5, ttl: 60_000 })
  other.load(dumped)
  assert.deepEqual([...other.entries()], [...cache.entries()])
  assert.ok(other.getRemainingTTL('a') < 60_000)
})
