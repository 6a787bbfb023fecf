// bee-queue: each job is done once, as no worker stalls, and its `succeeded` event arrives.
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import Queue from 'bee-queue'
import { fc, fuzz } from 'norn'

const job = fc.record({ at: fc.integer({ min: 0, max: 10 }), queue: fc.nat(1), retries: fc.nat(1) })
const worker = fc.record({
  at: fc.integer({ min: 0, max: 10 }),
  work: fc.integer({ min: 0, max: 8 }),
  isFailing: fc.boolean(),
})

fuzz(
  'bee-queue: each job is done once, and its producer is told',
  { jobs: fc.array(job, { minLength: 1, maxLength: 4 }), workers: fc.array(worker, { minLength: 1, maxLength: 2 }) },
  async ({ jobs, workers }) => {
    const redis = process.env.REDIS_URL
    const producers = [1, 2].map(() => new Queue<{ index: number }>('jobs', { redis, isWorker: false }))
    const consumers: Queue<{ index: number }>[] = []
    const done: number[] = []
    const told: number[] = []
    const tried = new Set<number>()
    await Promise.all([
      ...workers.map(async ({ at, work, isFailing }) => {
        await sleep(at)
        const queue = new Queue<{ index: number }>('jobs', { redis })
        consumers.push(queue)
        queue.process(2, async ({ data: { index } }) => {
          await sleep(work)
          const isFirst = !tried.has(index)
          tried.add(index)
          if (isFailing && isFirst && jobs[index]!.retries > 0) throw new Error('again')
          done.push(index)
        })
      }),
      ...jobs.map(async ({ at, queue, retries }, index) => {
        await sleep(at)
        const job = producers[queue]!.createJob({ index }).retries(retries)
        job.on('succeeded', () => told.push(index))
        await job.save()
      }),
    ])
    await sleep(1000)
    await Promise.all([...producers, ...consumers].map((queue) => queue.close(1000)))
    assert.deepEqual(done.sort(), [...jobs.keys()], 'done')
    assert.deepEqual(told.sort(), [...jobs.keys()], 'told')
  },
)
