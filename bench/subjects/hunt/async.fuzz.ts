// async: a queue never runs more than its concurrency, calls each task back once, and drains once
// it is empty.
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import async from 'async'
import { fc, fuzz } from 'norn'
import { pause } from './pause.ts'

const task = fc.record({
  gap: fc.integer({ min: 0, max: 3 }),
  takes: fc.integer({ min: 0, max: 3 }),
  kind: fc.constantFrom('push', 'unshift', 'pause', 'grow'),
})

fuzz(
  'async.queue: the concurrency holds, and drain means that nothing is left',
  { tasks: fc.array(task, { maxLength: 8 }), concurrency: fc.integer({ min: 1, max: 3 }), isPriority: fc.boolean() },
  async ({ tasks, concurrency, isPriority }) => {
    let running = 0
    let open = 0
    let isGrown = 0
    const work = async (takes: number) => {
      assert.ok(++running <= concurrency + isGrown)
      await pause(takes)
      running--
      open--
    }
    const queue = isPriority ? async.priorityQueue(work, concurrency) : async.queue(work, concurrency)
    queue.drain(() => assert.equal(open, 0, 'drain() with tasks left'))
    const done: Promise<unknown>[] = []
    for (const { gap, takes, kind } of tasks) {
      if (gap > 0) await sleep(gap)
      if (kind === 'pause') {
        queue.pause()
        await pause(takes)
        queue.resume()
      } else if (kind === 'grow') {
        isGrown = 1
        queue.concurrency = concurrency + 1
      } else {
        open++
        const methods = queue as unknown as Record<string, (task: number, priority?: number) => Promise<unknown>>
        const method = isPriority || kind === 'push' ? 'pushAsync' : 'unshiftAsync'
        done.push(methods[method]!.call(queue, takes, ...(isPriority ? [takes] : [])))
      }
    }
    await Promise.all(done)
    assert.equal(open, 0)
  },
)

fuzz(
  'async.auto: a task runs after those it needs',
  { takes: fc.array(fc.nat(3), { minLength: 4, maxLength: 4 }) },
  async ({ takes }) => {
    const ended = new Set<string>()
    const task = (name: string, needs: string[], index: number) => [
      ...needs,
      async () => {
        for (const each of needs) assert.ok(ended.has(each))
        await pause(takes[index])
        ended.add(name)
      },
    ]
    await async.auto(
      { a: task('a', [], 0), b: task('b', ['a'], 1), c: task('c', ['a'], 2), d: task('d', ['b', 'c'], 3) } as never,
      2,
    )
    assert.equal(ended.size, 4)
  },
)
