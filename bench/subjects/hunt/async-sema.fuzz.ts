// async-sema: never more holders than tokens, every acquire() is granted, drain() means that
// nobody else holds one.
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { RateLimit, Sema } from 'async-sema'
import { fc, fuzz } from 'norn'
import { pause } from './pause.ts'

const holder = fc.record({
  gap: fc.integer({ min: 0, max: 3 }),
  takes: fc.integer({ min: 0, max: 3 }),
  drains: fc.boolean(),
})

fuzz(
  'async-sema: never more holders than tokens',
  { holders: fc.array(holder, { maxLength: 6 }), tokens: fc.integer({ min: 1, max: 3 }) },
  async ({ holders, tokens }) => {
    const sema = new Sema(tokens, { capacity: 2 })
    let held = 0
    let drains = 0
    await Promise.all(
      holders.map(async ({ gap, takes, drains: isDrain }) => {
        if (gap > 0) await sleep(gap)
        if (isDrain && drains++ === 0) {
          await sema.drain()
          assert.equal(held, 0)
          await pause(takes)
          assert.equal(held, 0)
          for (let i = 0; i < tokens; i++) sema.release()
          return
        }
        const token = await sema.acquire()
        assert.ok(++held <= tokens)
        await pause(takes)
        held--
        sema.release(token)
      }),
    )
  },
)

fuzz(
  'async-sema: RateLimit holds in any second',
  { gaps: fc.array(fc.integer({ min: 0, max: 400 }), { maxLength: 8 }), rps: fc.integer({ min: 1, max: 3 }) },
  async ({ gaps, rps }) => {
    const limit = RateLimit(rps)
    const starts: number[] = []
    await Promise.all(
      gaps.map(async (gap) => {
        await sleep(gap)
        await limit()
        const now = Date.now()
        starts.push(now)
        assert.ok(starts.filter((start) => start > now - 999).length <= rps)
      }),
    )
  },
)
