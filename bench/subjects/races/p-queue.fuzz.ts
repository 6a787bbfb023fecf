// p-queue 2.4.1 -> 2.4.2
//
// The race: pause() before a running job completes. The completion finds the queue paused, takes
// the branch meant for an empty queue, and resolves onEmpty() while jobs are still waiting. 2.4.2
// resolves it only when none waits.
//
// Zero input: no jobs. A pause in the tick of the start fails by default as well; a pause later on fails only
// if a job is delayed.
import assert from 'node:assert/strict'
import { mkdtemp, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fc, fuzz } from 'norn'
import PQueue from 'p-queue-buggy'

const pause_ms = 100

fuzz(
  'p-queue: onEmpty() means that no job waits',
  {
    jobs: fc.integer({ min: 0, max: 4 }),
    concurrency: fc.integer({ min: 1, max: 2 }),
    pause_at_ms: fc.integer({ min: 0, max: 10 }),
  },
  async ({ jobs, concurrency, pause_at_ms }) => {
    const directory = await mkdtemp(join(tmpdir(), 'norn-'))
    const queue = new PQueue({ concurrency })
    const done = Array.from({ length: jobs }, () => queue.add(() => stat(directory)))
    const emptied = queue.onEmpty().then(() => {
      assert.equal(queue.size, 0, `onEmpty() resolved while ${queue.size} jobs were waiting`)
    })
    const pauseAndStart = async () => {
      if (pause_at_ms > 0) await sleep(pause_at_ms)
      queue.pause()
      await sleep(pause_ms)
      queue.start()
    }
    await Promise.all([emptied, pauseAndStart(), ...done])
  },
)
