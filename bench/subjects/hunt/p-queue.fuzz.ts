// p-queue: never more tasks than concurrency and intervalCap allow, every task settles, onIdle()
// means that none is left.
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { fc, fuzz } from 'norn'
import PQueue from 'p-queue'
import { pause } from './pause.ts'

const task = fc.record({
  gap: fc.integer({ min: 0, max: 20 }),
  takes: fc.integer({ min: 0, max: 3 }),
  priority: fc.integer({ min: 0, max: 2 }),
})

fuzz(
  'p-queue: the limits hold and every task settles',
  {
    tasks: fc.array(task, { maxLength: 8 }),
    concurrency: fc.integer({ min: 1, max: 3 }),
    limit: fc.constantFrom(
      {},
      { interval: 20, intervalCap: 2, strict: true },
      { interval: 20, intervalCap: 1, strict: true },
    ),
    pauses: fc.array(fc.integer({ min: 0, max: 40 }), { maxLength: 2 }),
  },
  async ({ tasks, concurrency, limit, pauses }) => {
    const queue = new PQueue({ concurrency, ...limit })
    let running = 0
    let left = tasks.length
    const starts: number[] = []
    const run = async (takes: number) => {
      assert.ok(++running <= concurrency, `${running} tasks run`)
      const now = Date.now()
      starts.push(now)
      // A timer may fire a part of a millisecond early.
      if ('interval' in limit)
        assert.ok(starts.filter((start) => start > now - limit.interval + 1).length <= limit.intervalCap, starts.join())
      await pause(takes)
      running--
      left--
    }
    const pausing = pauses.map(async (at) => {
      await sleep(at)
      queue.pause()
      await sleep(5)
      queue.start()
    })
    const added: Promise<unknown>[] = []
    for (const { gap, takes, priority } of tasks) {
      if (gap > 0) await sleep(gap)
      added.push(queue.add(() => run(takes), { priority }))
    }
    await Promise.all(pausing)
    await queue.onIdle()
    assert.equal(left, 0, 'onIdle() resolved with tasks left')
    await Promise.all(added)
  },
)
