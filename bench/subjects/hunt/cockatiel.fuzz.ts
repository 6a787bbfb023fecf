// cockatiel: a bulkhead runs at most its limit, and a call that it has queued is not rejected.
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { BulkheadRejectedError, bulkhead, ConsecutiveBreaker, circuitBreaker, handleAll } from 'cockatiel'
import { fc, fuzz } from 'norn'
import { pause } from './pause.ts'

const call = fc.record({
  gap: fc.integer({ min: 0, max: 3 }),
  takes: fc.integer({ min: 0, max: 3 }),
  follows: fc.integer({ min: 0, max: 2 }),
})

fuzz(
  'cockatiel: a call that the bulkhead has queued is not rejected',
  {
    calls: fc.array(call, { maxLength: 5 }),
    limit: fc.integer({ min: 1, max: 2 }),
    size: fc.integer({ min: 0, max: 2 }),
  },
  async ({ calls, limit, size }) => {
    const policy = bulkhead(limit, size)
    let running = 0
    const execute = (takes: number, follows: number): Promise<unknown> => {
      const isFull = policy.executionSlots === 0 && policy.queueSlots === 0
      const work = () => {
        assert.ok(++running <= limit)
        const result = pause(takes).then(() => void running--)
        // Those who wait for the same result may call again.
        queueMicrotask(() =>
          pending.push(result.then(() => Promise.all(Array.from({ length: follows }, () => execute(1, 0))))),
        )
        return result
      }
      return policy.execute(work).catch((error) => {
        assert.ok(error instanceof BulkheadRejectedError, error)
        assert.ok(isFull, 'rejected, though there was a slot')
      })
    }
    const pending: Promise<unknown>[] = []
    for (const { gap, takes, follows } of calls) {
      if (gap > 0) await sleep(gap)
      pending.push(execute(takes, follows))
    }
    for (let settled = -1; settled < pending.length; ) {
      settled = pending.length
      await Promise.all(pending)
    }
  },
)

fuzz(
  'cockatiel: a half-open circuit runs one call',
  { calls: fc.array(fc.record({ gap: fc.integer({ min: 0, max: 20 }), fails: fc.boolean() }), { maxLength: 8 }) },
  async ({ calls }) => {
    const breaker = circuitBreaker(handleAll, { halfOpenAfter: 10, breaker: new ConsecutiveBreaker(1) })
    let trials = 0
    breaker.onHalfOpen(() => {
      trials = 0
    })
    const pending: Promise<unknown>[] = []
    for (const { gap, fails } of calls) {
      if (gap > 0) await sleep(gap)
      const work = async () => {
        const isTrial = breaker.state === 2
        if (isTrial) assert.equal(++trials, 1, 'two calls in a half-open circuit')
        await pause(2)
        if (fails) throw new Error('fails')
      }
      pending.push(breaker.execute(work).catch((error) => assert.ok(!(error instanceof assert.AssertionError), error)))
    }
    await Promise.all(pending)
  },
)
