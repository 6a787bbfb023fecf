// async 3, by its documentation: collections, control flow, queues, with callbacks and with async functions.
import assert from 'node:assert/strict'
import { stat } from 'node:fs'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import async from 'async'

type Done<Value = void> = (error?: Error | null, value?: Value) => void

const later = <Value>(ms: number, value: Value, done: Done<Value>) => setTimeout(() => done(null, value), ms)

test('map keeps the order, mapLimit the limit', async () => {
  let running = 0
  let most = 0
  const double = (value: number, done: Done<number>) => {
    most = Math.max(most, ++running)
    setTimeout(() => {
      running--
      done(null, value * 2)
    }, value)
  }
  assert.deepEqual(await async.map([5, 1, 3], double), [10, 2, 6])
  most = 0
  assert.deepEqual(await async.mapLimit([5, 1, 3, 2, 4], 2, double), [10, 2, 6, 4, 8])
  assert.equal(most, 2)
})

test('each ends with the first error', (_, done) => {
  async.each(
    [1, 2, 3],
    (value: number, called: Done) => setTimeout(() => called(value === 1 ? new Error('broken') : null), value * 50),
    (error?: Error | null) => {
      assert.equal(error?.message, 'broken')
      done!()
    },
  )
})

test('eachSeries waits for each', async () => {
  const seen: number[] = []
  await async.eachSeries([3, 1, 2], async (value: number) => {
    seen.push(value)
    await sleep(value)
    seen.push(-value)
  })
  assert.deepEqual(seen, [3, -3, 1, -1, 2, -2])
})

test('filter, reject, detect, some, every, sortBy, groupBy, concat', async () => {
  const odd = async (value: number) => {
    await sleep(value)
    return value % 2 === 1
  }
  const values = [4, 1, 3, 2]
  assert.deepEqual(await async.filter(values, odd), [1, 3])
  assert.deepEqual(await async.reject(values, odd), [4, 2])
  assert.equal(await async.detectSeries(values, odd), 1)
  assert.deepEqual([await async.some(values, odd), await async.every(values, odd)], [true, false])
  assert.deepEqual(await async.sortBy(values, async (value: number) => -value), [4, 3, 2, 1])
  assert.deepEqual(await async.groupBySeries(values, odd), { true: [1, 3], false: [4, 2] })
  assert.deepEqual(await async.concat(values, async (value: number) => [value, value]), [4, 4, 1, 1, 3, 3, 2, 2])
})

test('reduce goes in order', async () => {
  const joined = await async.reduce(['a', 'b', 'c'], '', async (memo: string, value: string) => {
    await sleep(1)
    return memo + value
  })
  assert.equal(joined, 'abc')
})

test('parallel, by list and by name', async () => {
  const tasks = [3, 1, 2].map((ms) => (done: Done<number>) => later(ms, ms, done))
  assert.deepEqual(await async.parallel(tasks), [3, 1, 2])
  const named = { a: async () => 1, b: (done: Done<number>) => later(1, 2, done) }
  assert.deepEqual(await async.parallel(named), { a: 1, b: 2 })
})

test('series and waterfall', async () => {
  const seen: string[] = []
  const step = (name: string, ms: number) => (done: Done<string>) =>
    setTimeout(() => {
      seen.push(name)
      done(null, name)
    }, ms)
  assert.deepEqual(await async.series([step('a', 5), step('b', 1)]), ['a', 'b'])
  assert.deepEqual(seen, ['a', 'b'])
  const sum = await async.waterfall([
    (done: Done<number>) => later(2, 1, done),
    (value: number, done: Done<number>) => later(1, value + 1, done),
  ])
  assert.equal(sum, 2)
})

test('auto follows the dependencies', async () => {
  const seen: string[] = []
  const results = await async.auto({
    read: async () => {
      await sleep(3)
      seen.push('read')
      return 1
    },
    check: async () => {
      seen.push('check')
      return 2
    },
    write: [
      'read',
      'check',
      (all: { read: number; check: number }, done: Done<number>) => {
        seen.push('write')
        later(1, all.read + all.check, done)
      },
    ],
  })
  assert.deepEqual([results, seen.at(-1)], [{ read: 1, check: 2, write: 3 }, 'write'])
})

test('a queue runs as many as it may, and drains', async () => {
  let running = 0
  let most = 0
  const queue = async.queue((_: number, done: Done) => {
    most = Math.max(most, ++running)
    stat('/', () => {
      running--
      done()
    })
  }, 3)
  for (let each = 0; each < 12; each++) void queue.push(each)
  await queue.drain()
  assert.deepEqual([most, queue.length(), queue.running(), queue.idle()], [3, 0, 0, true])
})

test('a queue pauses, resumes, takes urgent tasks first', async () => {
  const seen: string[] = []
  const queue = async.queue(async (name: string) => {
    seen.push(name)
    await sleep(1)
  }, 1)
  queue.pause()
  for (const name of ['a', 'b']) void queue.push(name)
  void queue.unshift('first')
  await sleep(20)
  assert.deepEqual(seen, [])
  queue.resume()
  await queue.drain()
  assert.deepEqual(seen, ['first', 'a', 'b'])
})

test('a queue tells errors of tasks', async () => {
  const queue = async.queue(async (value: number) => {
    await sleep(1)
    if (value === 2) throw new Error('broken')
    return value
  }, 2)
  const outcomes = await Promise.allSettled([1, 2, 3].map((value) => queue.pushAsync(value)))
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  )
})

test('a priority queue', async () => {
  const seen: string[] = []
  const queue = async.priorityQueue(async (name: string) => {
    seen.push(name)
    await sleep(1)
  }, 1)
  void queue.push('late', 5)
  void queue.push('soon', 1)
  void queue.push('between', 3)
  await queue.drain()
  assert.deepEqual(seen, ['soon', 'between', 'late'])
})

test('a cargo takes several at once', async () => {
  const seen: number[][] = []
  const cargo = async.cargo(async (tasks: number[]) => {
    seen.push(tasks)
    await sleep(2)
  }, 2)
  for (const each of [1, 2, 3, 4, 5]) void cargo.push(each)
  await cargo.drain()
  assert.deepEqual(seen, [[1, 2], [3, 4], [5]])
})

test('retry tries again, after an interval', async () => {
  let tries = 0
  const began = performance.now()
  const value = await async.retry({ times: 4, interval: 30 }, async () => {
    if (++tries < 3) throw new Error('not yet')
    return 'done'
  })
  assert.deepEqual([value, tries], ['done', 3])
  assert.ok(performance.now() - began >= 58)
})

test('timeout gives up', async () => {
  const slow = async.timeout((done: Done<string>) => later(10_000, 'late', done), 30)
  await assert.rejects(promised(slow), { code: 'ETIMEDOUT' })
})

test('memoize asks once for who asks meanwhile', async () => {
  let asked = 0
  const slow = async.memoize((key: string, done: Done<string>) => {
    asked++
    later(5, key.toUpperCase(), done)
  })
  const both = await Promise.all([promised((done) => slow('a', done)), promised((done) => slow('a', done))])
  assert.deepEqual([both, asked], [['A', 'A'], 1])
})

test('race ends with the first, times and whilst repeat', async () => {
  assert.equal(await async.race([(done: Done<string>) => later(500, 'b', done), async () => 'a']), 'a')
  assert.deepEqual(await async.times(3, async (index: number) => index * index), [0, 1, 4])
  let count = 0
  const counting = async.whilst(
    async () => count < 3,
    async () => {
      await sleep(1)
      return ++count
    },
  )
  assert.equal(await counting, 3)
})

function promised<Value>(call: (done: Done<Value>) => void): Promise<Value> {
  return new Promise((resolve, reject) => call((error, value) => (error ? reject(error) : resolve(value as Value))))
}
