// redis-semaphore: never more permits are held than there are, and each lock can be had in the end.
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { fc, fuzz } from 'norn'
import { MultiSemaphore, Mutex, Semaphore } from 'redis-semaphore'

const holder = fc.record({
  at: fc.integer({ min: 0, max: 50 }),
  work: fc.integer({ min: 0, max: 3000 }),
  lockTimeout: fc.constantFrom(1000, 10_000),
  permits: fc.integer({ min: 1, max: 2 }),
})
const holders = fc.array(holder, { minLength: 2, maxLength: 4 })
const timeout = fc.constantFrom(1000, 10_000)

const CASES = [
  { kind: 'Mutex', timeouts: 'of their own' },
  { kind: 'Semaphore', timeouts: 'in common' },
  { kind: 'Semaphore', timeouts: 'of their own' },
  { kind: 'MultiSemaphore', timeouts: 'in common' },
]

for (const { kind, timeouts } of CASES)
  fuzz(`redis-semaphore: the permits of a ${kind}, timeouts ${timeouts}`, { holders, timeout }, async (inputs) => {
    const { holders, timeout } = inputs
    const limit = kind === 'Mutex' ? 1 : 2
    let held = 0
    const clients: Redis[] = []
    await Promise.all(
      holders.map(async ({ at, work, lockTimeout, permits: wanted }) => {
        const client = new Redis(process.env.REDIS_URL!)
        clients.push(client)
        await sleep(at)
        const permits = kind === 'MultiSemaphore' ? wanted : 1
        // A lock that is lost ends the execution, as the default does.
        const own = timeouts === 'in common' ? timeout : lockTimeout
        const options = { lockTimeout: own, acquireTimeout: 60_000, retryInterval: 100 }
        const lock =
          kind === 'Mutex'
            ? new Mutex(client, 'key', options)
            : kind === 'Semaphore'
              ? new Semaphore(client, 'key', limit, options)
              : new MultiSemaphore(client, 'key', limit, permits, options)
        await lock.acquire()
        held += permits
        assert.ok(held <= limit, `${held} permits are held`)
        await sleep(work)
        held -= permits
        await lock.release()
      }),
    )
    for (const client of clients) client.disconnect()
  })
