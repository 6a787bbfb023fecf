// BullMQ without a Redis: two jobs of one worker with a lost update.
import assert from 'node:assert/strict'
import { Queue, QueueEvents, Worker } from 'bullmq'
import { planted, stored } from './planted.ts'

planted('BullMQ: both jobs count', async ({ isFixed }) => {
  const connection = { host: '127.0.0.1', port: 6379, maxRetriesPerRequest: null, retryStrategy: () => null }
  const done = stored(0)
  const [queue, events] = [new Queue('jobs', { connection }), new QueueEvents('jobs', { connection })]
  const work = async () => done.write((await done.read()) + 1)
  const worker = new Worker('jobs', work, { connection, concurrency: isFixed ? 1 : 2 })
  for (const each of [queue, events, worker]) each.on('error', () => {})
  const jobs = await Promise.all([queue.add('one', {}), queue.add('two', {})])
  await Promise.all(jobs.map((job) => job.waitUntilFinished(events)))
  await Promise.all([worker.close(), queue.close(), events.close()])
  assert.equal(await done.read(), 2)
})
