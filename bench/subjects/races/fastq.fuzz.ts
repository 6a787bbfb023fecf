// fastq 1.16.0 -> 1.17.0
//
// The race: resume() while tasks that were started before the pause still run. It starts as many further tasks as the
// concurrency allows, whatever is running already: more run at once than allowed. 1.17.0 counts those running.
//
// Zero input: no tasks. Pausing and resuming in the tick of the start fails by default as well; later on it
// fails only if a task is delayed.
import assert from 'node:assert/strict'
import { mkdtemp, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import fastq from 'fastq-buggy'
import { fc, fuzz } from 'norn'

fuzz(
  'fastq: no more tasks run than the concurrency allows',
  {
    tasks: fc.integer({ min: 0, max: 5 }),
    concurrency: fc.integer({ min: 1, max: 2 }),
    pause_at_ms: fc.integer({ min: 0, max: 5 }),
    pause_ms: fc.integer({ min: 0, max: 5 }),
  },
  async ({ tasks, concurrency, pause_at_ms, pause_ms }) => {
    const directory = await mkdtemp(join(tmpdir(), 'norn-'))
    let running = 0
    const work = async () => {
      running++
      assert.ok(running <= concurrency, `${running} tasks run at once where ${concurrency} may`)
      await stat(directory)
      running--
    }
    const queue = fastq.promise(work, concurrency)
    const done = Array.from({ length: tasks }, () => queue.push(undefined))
    const pauseAndResume = async () => {
      if (pause_at_ms > 0) await sleep(pause_at_ms)
      queue.pause()
      if (pause_ms > 0) await sleep(pause_ms)
      queue.resume()
    }
    await Promise.all([pauseAndResume(), ...done])
  },
)
