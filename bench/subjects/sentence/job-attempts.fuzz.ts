// The race: the timeout of an attempt against its job, which goes on: with the next attempt it is done twice.
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { fc, fuzz } from 'norn'
import { JobQueue } from './job-queue.ts'

fuzz(
  'jobs: a job runs to its end at most once',
  { durations_ms: fc.array(fc.integer({ min: 0, max: 50 }), { minLength: 1, maxLength: 4 }) },
  async ({ durations_ms }) => {
    const queue = new JobQueue({ concurrency: 2, retries: 2, timeoutMs: 30, backoffMs: 10 })
    const done = durations_ms.map(() => 0)
    const run = async (id: number) => {
      await sleep(durations_ms[id])
      done[id]!++
    }
    await Promise.allSettled(durations_ms.map((_, id) => queue.add({ id, run: () => run(id) })))
    assert.ok(
      done.every((times) => times <= 1),
      `completions: ${done}`,
    )
  },
)
