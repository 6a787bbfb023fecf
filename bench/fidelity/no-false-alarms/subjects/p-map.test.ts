// p-map 7, by its readme.
import assert from 'node:assert/strict'
import { stat } from 'node:fs/promises'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pMap, { pMapIterable, pMapSkip } from 'p-map'

test('results are in the order of the input', async () => {
  assert.deepEqual(await pMap([30, 10, 20], (ms) => sleep(ms, ms), { concurrency: 3 }), [30, 10, 20])
})

test('takes promises as input', async () => {
  assert.deepEqual(await pMap([sleep(5, 'a'), 'b'], (value) => value.toUpperCase()), ['A', 'B'])
})

test('never more mappers run than allowed', async () => {
  let running = 0
  let most = 0
  const mapper = async (index: number) => {
    most = Math.max(most, ++running)
    await (index % 2 === 0 ? stat('/') : sleep(index % 3))
    running--
  }
  await pMap(
    Array.from({ length: 25 }, (_, index) => index),
    mapper,
    { concurrency: 4 },
  )
  assert.deepEqual([most, running], [4, 0])
})

test('takes an asynchronous iterable', async () => {
  async function* numbers() {
    for (let each = 1; each <= 4; each++) {
      await sleep(1)
      yield each
    }
  }
  assert.deepEqual(await pMap(numbers(), async (value) => value * 2, { concurrency: 2 }), [2, 4, 6, 8])
})

test('the first error rejects, and no mapper begins after it', async () => {
  const begun: number[] = []
  const mapper = async (value: number) => {
    begun.push(value)
    await sleep(1)
    if (value === 2) throw new Error('broken')
  }
  await assert.rejects(pMap([1, 2, 3, 4, 5], mapper, { concurrency: 1 }), /broken/)
  await sleep(30)
  assert.deepEqual(begun, [1, 2])
})

test('stopOnError: false collects the errors', async () => {
  const begun: number[] = []
  const mapper = async (value: number) => {
    begun.push(value)
    await sleep(value)
    if (value % 2 === 0) throw new Error(`broken ${value}`)
  }
  const outcome = pMap([1, 2, 3, 4], mapper, { concurrency: 2, stopOnError: false })
  await assert.rejects(outcome, (error) => {
    assert.ok(error instanceof AggregateError)
    assert.deepEqual(error.errors.map(({ message }) => message).sort(), ['broken 2', 'broken 4'])
    return true
  })
  assert.deepEqual(begun, [1, 2, 3, 4])
})

test('pMapSkip leaves a result out', async () => {
  const mapper = async (value: number) => {
    await sleep(4 - value)
    return value === 2 ? pMapSkip : value
  }
  assert.deepEqual(await pMap([1, 2, 3], mapper), [1, 3])
})

test('a signal aborts', async () => {
  const controller = new AbortController()
  const outcome = pMap([1, 2, 3], () => sleep(100), { concurrency: 1, signal: controller.signal })
  setTimeout(() => controller.abort(new Error('not wanted')), 5)
  await assert.rejects(outcome, /not wanted/)
})

test('wrong arguments reject', async () => {
  await assert.rejects(
    pMap(5 as never, () => 1),
    TypeError,
  )
  await assert.rejects(pMap([1], 5 as never), TypeError)
  await assert.rejects(
    pMap([1], () => 1, { concurrency: 0 }),
    TypeError,
  )
})

test('an empty input', async () => {
  assert.deepEqual(await pMap([], () => 1), [])
})

test('pMapIterable gives results in order, and runs ahead no further than its backpressure', async () => {
  let begun = 0
  const mapped = pMapIterable(
    [5, 1, 3, 2],
    async (value) => {
      begun++
      await sleep(value)
      return value
    },
    { concurrency: 1, backpressure: 2 },
  )
  const seen: number[] = []
  for await (const value of mapped) {
    seen.push(value)
    assert.ok(begun <= seen.length + 2, `${begun} begun when ${seen.length} were taken`)
    await sleep(20)
  }
  assert.deepEqual(seen, [5, 1, 3, 2])
})
