// The race: a job that times out gives its slot back while it still runs.
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { fc, fuzz } from 'norn'
import { JobQueue } from './job-queue.ts'

fuzz(
  'jobs: never more at once than allowed',
  {
    durations_ms: fc.array(fc.integer({ min: 0, max: 50 }), { minLength: 1, maxLength: 6 }),
    concurrency: fc.integer({ min: 1, max: 2 }),
  },
  async ({ durations_ms, concurrency }) => {
    const queue = new JobQueue({ concurrency, retries: 2, timeoutMs: 30, backoffMs: 10 })
    let [running, most] = [0, 0]
    const run = async (ms: number) => {
      most = Math.max(most, ++running)
      await sleep(ms)
      running--
    }
    await Promise.allSettled(durations_ms.map((ms, id) => queue.add({ id, run: () => run(ms) })))
    assert.ok(most <= concurrency, `${most} jobs at once, ${concurrency} allowed`)
  },
)
