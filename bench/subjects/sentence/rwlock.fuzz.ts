// rwlock 4.0.0 -> 5.0.0
//
// The race: a waiter times out before the lock is released, and stays in the queue. The release calls it, it does
// nothing, and whoever waits behind it waits for ever. 5.0.0 takes it out of the queue.
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { fc, fuzz } from 'norn'
import ReadWriteLock from 'rwlock-buggy'

fuzz(
  'rwlock: whoever waits gets the lock or times out',
  { holds_ms: fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 2, maxLength: 3 }) },
  async ({ holds_ms }) => {
    const lock = new ReadWriteLock()
    let waiting = 0
    const use = (hold_ms: number, options?: object) => {
      waiting++
      lock.writeLock(async (release: () => void) => {
        waiting--
        await sleep(hold_ms)
        release()
      }, options)
    }
    for (const hold_ms of holds_ms) use(hold_ms, { timeout: 31, timeoutCallback: () => waiting-- })
    use(1)
    await sleep(1_000)
    assert.equal(waiting, 0, 'a writer waits for ever')
  },
)
