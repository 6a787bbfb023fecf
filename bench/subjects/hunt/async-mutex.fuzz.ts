// async-mutex: the weights of holders never exceed the value, every acquire settles, and all of
// the value comes back.
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { Semaphore, withTimeout } from 'async-mutex'
import { fc, fuzz } from 'norn'
import { pause } from './pause.ts'

const holder = fc.record({
  gap: fc.integer({ min: 0, max: 3 }),
  takes: fc.integer({ min: 0, max: 3 }),
  weight: fc.integer({ min: 1, max: 3 }),
  priority: fc.integer({ min: 0, max: 2 }),
  kind: fc.constantFrom('acquire', 'timeout', 'wait', 'cancel', 'exclusive'),
})

fuzz(
  'async-mutex: the weights never exceed the value',
  { holders: fc.array(holder, { maxLength: 6 }), value: fc.integer({ min: 3, max: 4 }) },
  async ({ holders, value }) => {
    const semaphore = new Semaphore(value)
    const limited = withTimeout(semaphore, 2)
    let held = 0
    await Promise.all(
      holders.map(async ({ gap, takes, weight, priority, kind }) => {
        if (gap > 0) await sleep(gap)
        const work = async () => {
          held += weight
          assert.ok(held <= value, `${held} of ${value}`)
          await pause(takes)
          held -= weight
        }
        if (kind === 'wait') return semaphore.waitForUnlock(weight, priority)
        if (kind === 'cancel') return semaphore.cancel()
        try {
          if (kind === 'exclusive') await semaphore.runExclusive(work, weight, priority)
          else {
            const [, release] = await (kind === 'timeout' ? limited : semaphore).acquire(weight, priority)
            await work()
            release()
            release()
          }
        } catch (error) {
          assert.ok(!(error instanceof assert.AssertionError), error as Error)
        }
      }),
    )
    await pause(2)
    assert.equal(semaphore.getValue(), value)
  },
)
