// bottleneck: with the strategy LEAK every job runs or is dropped.
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import Bottleneck from 'bottleneck'
import { fc, fuzz } from 'norn'

const job = fc.record({ gap: fc.integer({ min: 0, max: 8 }), takes: fc.integer({ min: 0, max: 8 }) })

fuzz(
  'bottleneck: every job runs or is dropped',
  {
    jobs: fc.array(job, { maxLength: 6 }),
    highWater: fc.integer({ min: 1, max: 2 }),
    minTime: fc.constantFrom(0, 5, 20),
  },
  async ({ jobs, highWater, minTime }) => {
    const limiter = new Bottleneck({ maxConcurrent: 1, minTime, highWater, strategy: Bottleneck.strategy.LEAK })
    const errors: unknown[] = []
    limiter.on('error', (error: unknown) => errors.push(error))
    const open = new Set<number>()
    for (const [name, { gap, takes }] of jobs.entries()) {
      if (gap > 0) await sleep(gap)
      open.add(name)
      const done = () => void open.delete(name)
      limiter.schedule(() => sleep(takes)).then(done, done)
    }
    await sleep(5000)
    assert.deepEqual(errors, [])
    assert.deepEqual([...open], [])
  },
)
