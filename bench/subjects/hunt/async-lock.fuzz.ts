// async-lock: a key has one holder, every acquire settles whatever the order of its keys, and
// nothing is busy in the end.
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import AsyncLock from 'async-lock'
import { fc, fuzz } from 'norn'
import { pause } from './pause.ts'

const holder = fc.record({
  gap: fc.integer({ min: 0, max: 3 }),
  takes: fc.integer({ min: 0, max: 3 }),
  keys: fc.uniqueArray(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 3 }),
  options: fc.constantFrom({}, { timeout: 2 }, { skipQueue: true }),
})
const holders = fc.array(holder, { maxLength: 6 })
type Holder = { gap: number; takes: number; keys: string[]; options: object }

async function contend(holders: Holder[], maxPending: number): Promise<void> {
  const lock = new AsyncLock({ maxPending })
  const held = new Set<string>()
  await Promise.all(
    holders.map(async ({ gap, takes, keys, options }) => {
      if (gap > 0) await sleep(gap)
      const work = async () => {
        for (const key of keys) {
          assert.ok(!held.has(key), `two holders of ${key}`)
          held.add(key)
        }
        await pause(takes)
        for (const key of keys) held.delete(key)
      }
      await lock
        .acquire(keys, work, options)
        .catch((error) => assert.ok(!(error instanceof assert.AssertionError), error))
    }),
  )
  await pause(4)
  assert.ok(!lock.isBusy(), 'busy in the end')
}

fuzz(
  'async-lock: a key has one holder',
  { holders, maxPending: fc.constantFrom(1, 1000) },
  async ({ holders, maxPending }) => {
    await contend(
      holders.map((holder) => ({ ...holder, keys: holder.keys.toSorted() })),
      maxPending,
    )
  },
)

fuzz('async-lock: every acquire settles, whatever the order of its keys', { holders }, async ({ holders }) => {
  await contend(holders, 1000)
})
