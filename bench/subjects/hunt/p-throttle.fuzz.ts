// p-throttle: with `strict`, "the limit is not exceeded for any interval"; every call settles.
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { fc, fuzz } from 'norn'
import pThrottle from 'p-throttle'

fuzz(
  'p-throttle: the strict limit holds for any interval',
  { gaps: fc.array(fc.integer({ min: 0, max: 60 }), { maxLength: 8 }), limit: fc.integer({ min: 1, max: 3 }) },
  async ({ gaps, limit }) => {
    const interval = 50
    const starts: number[] = []
    const call = pThrottle({ limit, interval, strict: true })(() => {
      const now = Date.now()
      starts.push(now)
      // A timer may fire a part of a millisecond early.
      const within = starts.filter((start) => start > now - interval + 1)
      assert.ok(within.length <= limit, `${within.length} calls in ${now - within[0]!} ms`)
    })
    const calls: unknown[] = []
    for (const gap of gaps) {
      if (gap > 0) await sleep(gap)
      calls.push(call())
    }
    await Promise.all(calls)
  },
)
