// rate-limiter-flexible: RateLimiterQueue serves in order (FIFO), every request settles, never
// more points than a duration has.
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { fc, fuzz } from 'norn'
import { RateLimiterMemory, RateLimiterQueue } from 'rate-limiter-flexible'

fuzz(
  'rate-limiter-flexible: the queue is FIFO and settles',
  { gaps: fc.array(fc.constantFrom(0, 1, 500, 999, 1000), { maxLength: 6 }), points: fc.integer({ min: 1, max: 2 }) },
  async ({ gaps, points }) => {
    const queue = new RateLimiterQueue(new RateLimiterMemory({ points, duration: 1 }))
    const served: number[] = []
    const pending: Promise<unknown>[] = []
    for (const [index, gap] of gaps.entries()) {
      if (gap > 0) await sleep(gap)
      pending.push(queue.removeTokens(1).then(() => served.push(index)))
    }
    await Promise.all(pending)
    assert.deepEqual(served, [...gaps.keys()])
  },
)
