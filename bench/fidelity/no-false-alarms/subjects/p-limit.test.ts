// p-limit 7, by its readme.
import assert from 'node:assert/strict'
import { AsyncLocalStorage } from 'node:async_hooks'
import { stat } from 'node:fs/promises'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pLimit, { limitFunction } from 'p-limit'

test('gives what the functions give, in the order of the calls', async () => {
  const limit = pLimit(2)
  const results = await Promise.all([30, 10, 20].map((ms) => limit(() => sleep(ms, ms))))
  assert.deepEqual(results, [30, 10, 20])
})

test('passes arguments on', async () => {
  assert.equal(await pLimit(1)((a: number, b: number) => a + b, 2, 3), 5)
})

test('never more run than allowed, whatever they wait for', async () => {
  const limit = pLimit(4)
  let running = 0
  let most = 0
  const job = async (index: number) => {
    most = Math.max(most, ++running)
    await (index % 2 === 0 ? stat('/') : sleep(index % 5))
    running--
  }
  await Promise.all(Array.from({ length: 30 }, (_, index) => limit(job, index)))
  assert.deepEqual([most, running], [4, 0])
})

test('one at a time begins in the order of the calls', async () => {
  const limit = pLimit(1)
  const seen: number[] = []
  const job = async (index: number) => {
    seen.push(index)
    await stat('/')
    seen.push(-index)
  }
  await Promise.all([1, 2, 3].map((index) => limit(job, index)))
  assert.deepEqual(seen, [1, -1, 2, -2, 3, -3])
})

test('does not call a function in the tick of the call', async () => {
  let called = false
  const promise = pLimit(1)(() => {
    called = true
  })
  assert.equal(called, false)
  await promise
  assert.equal(called, true)
})

test('an error rejects its own promise only', async () => {
  const limit = pLimit(1)
  const bad = limit(() => {
    throw new Error('broken')
  })
  const late = limit(() => Promise.reject(new Error('late')))
  const good = limit(() => 'fine')
  await assert.rejects(bad, /broken/)
  await assert.rejects(late, /late/)
  assert.equal(await good, 'fine')
})

test('activeCount and pendingCount', async () => {
  const limit = pLimit(2)
  const all = Array.from({ length: 5 }, () => limit(() => sleep(5)))
  await Promise.resolve()
  await Promise.resolve()
  assert.deepEqual([limit.activeCount, limit.pendingCount], [2, 3])
  await Promise.all(all)
  assert.deepEqual([limit.activeCount, limit.pendingCount], [0, 0])
})

test('clearQueue() forgets who waits', async () => {
  const limit = pLimit(1)
  let ran = 0
  const first = limit(() => sleep(3).then(() => ran++))
  for (let each = 0; each < 3; each++) void limit(() => ran++)
  await Promise.resolve()
  limit.clearQueue()
  await first
  await sleep(20)
  assert.equal(ran, 1)
})

test('a larger concurrency lets those run who wait', async () => {
  const limit = pLimit(1)
  let running = 0
  let most = 0
  const job = async () => {
    most = Math.max(most, ++running)
    await sleep(10)
    running--
  }
  const all = Array.from({ length: 6 }, () => limit(job))
  await sleep(2)
  limit.concurrency = 3
  await Promise.all(all)
  assert.equal(most, 3)
})

test('map() takes an iterable', async () => {
  const limit = pLimit(2)
  const results = await limit.map(new Set([3, 1, 2]), async (value, index) => {
    await sleep(value)
    return `${index}: ${value}`
  })
  assert.deepEqual(results, ['0: 3', '1: 1', '2: 2'])
})

test('the context of the caller is kept', async () => {
  const storage = new AsyncLocalStorage<number>()
  const limit = pLimit(2)
  const seen = await Promise.all(
    [1, 2, 3, 4].map((each) =>
      storage.run(each, () =>
        limit(async () => {
          await sleep(each % 2)
          return storage.getStore()
        }),
      ),
    ),
  )
  assert.deepEqual(seen, [1, 2, 3, 4])
})

test('limitFunction() limits one function', async () => {
  let running = 0
  const limited = limitFunction(
    async (value: number) => {
      assert.equal(++running, 1)
      await stat('/')
      running--
      return value * 2
    },
    { concurrency: 1 },
  )
  assert.deepEqual(await Promise.all([limited(1), limited(2), limited(3)]), [2, 4, 6])
})

test('a concurrency that makes no sense is refused', () => {
  for (const wrong of [0, -1, 1.5, Number.NaN]) assert.throws(() => pLimit(wrong), TypeError)
})
