// bullmq 5.25.5 -> 5.25.6
//
// The race: two instances of an application register the same scheduler when they start, a moment apart. Each replaces
// the scheduler, with the delayed job that it knows of, and adds a job of its own after that. If both replace before
// either adds, there are two jobs. 5.25.6 does both in one transaction (commit 022f7b7).
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { Queue } from 'bullmq-buggy'
import { fuzz } from 'norn'

fuzz('bullmq: a scheduler has one delayed job', {}, async () => {
  const { hostname: host, port } = new URL(process.env.REDIS_URL!)
  const queues = [1, 2].map(() => new Queue('mails', { connection: { host, port: Number(port) } }))
  await Promise.all(queues.map((queue) => queue.waitUntilReady()))
  await Promise.all(
    queues.map(async (queue, index) => {
      await sleep(index)
      const now = { prevMillis: Date.now() } as object
      await queue.upsertJobScheduler('weekly', { every: 60_000 }, { opts: now })
    }),
  )
  const delayed = await queues[0]!.getDelayed()
  await Promise.all(queues.map((queue) => queue.close()))
  assert.equal(delayed.length, 1)
})
