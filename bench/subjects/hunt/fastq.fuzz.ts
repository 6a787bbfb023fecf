// fastq: never more than the concurrency, every task settles, drained() means that none is left.
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import fastq from 'fastq'
import { fc, fuzz } from 'norn'
import { pause } from './pause.ts'

const task = fc.record({
  gap: fc.integer({ min: 0, max: 3 }),
  takes: fc.integer({ min: 0, max: 3 }),
  kind: fc.constantFrom('push', 'unshift', 'pause', 'drained', 'grow'),
})

fuzz(
  'fastq: the concurrency holds, and drained() means that nothing is left',
  { tasks: fc.array(task, { maxLength: 8 }), concurrency: fc.integer({ min: 1, max: 3 }) },
  async ({ tasks, concurrency }) => {
    let running = 0
    let open = 0
    let grown = 0
    const queue = fastq.promise(async (takes: number) => {
      assert.ok(++running <= concurrency + grown, `${running} tasks run`)
      await pause(takes)
      running--
      open--
    }, concurrency)
    const done: Promise<unknown>[] = []
    for (const { gap, takes, kind } of tasks) {
      if (gap > 0) await sleep(gap)
      if (kind === 'pause') {
        queue.pause()
        await pause(takes)
        queue.resume()
      } else if (kind === 'drained') done.push(queue.drained())
      else if (kind === 'grow') {
        grown = 1
        queue.concurrency = concurrency + 1
      } else {
        open++
        done.push(kind === 'push' ? queue.push(takes) : queue.unshift(takes))
      }
    }
    await queue.drained()
    assert.equal(open, 0, 'drained() with tasks left')
    await Promise.all(done)
  },
)
