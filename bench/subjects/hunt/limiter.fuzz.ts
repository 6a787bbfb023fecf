// limiter: calls of removeTokens() are served in order, and with one token an interval at least an
// interval apart.
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { RateLimiter } from 'limiter'
import { fc, fuzz } from 'norn'

fuzz(
  'limiter: in order and an interval apart',
  { gaps: fc.array(fc.integer({ min: 0, max: 70 }), { maxLength: 6 }) },
  async ({ gaps }) => {
    const limiter = new RateLimiter({ tokensPerInterval: 1, interval: 50 })
    const served: number[] = []
    let last = Number.NEGATIVE_INFINITY
    const pending: Promise<void>[] = []
    for (const [index, gap] of gaps.entries()) {
      if (gap > 0) await sleep(gap)
      pending.push(
        limiter.removeTokens(1).then(() => {
          const now = performance.now()
          assert.ok(now - last > 49, `${now - last} ms apart`)
          last = now
          served.push(index)
        }),
      )
    }
    await Promise.all(pending)
    assert.deepEqual(served, [...gaps.keys()])
  },
)
