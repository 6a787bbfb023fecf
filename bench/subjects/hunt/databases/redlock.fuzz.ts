// redlock: a lock has one holder until it expires, over one server.
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { fc, fuzz } from 'norn'
import Redlock from 'redlock'

const holder = fc.record({
  at: fc.integer({ min: 0, max: 60 }),
  ttl: fc.constantFrom(20, 50, 1000),
  work: fc.integer({ min: 0, max: 30 }),
  extends: fc.boolean(),
  resources: fc.subarray(['a', 'b'], { minLength: 1 }),
})

fuzz(
  'redlock: a lock has one holder until it expires',
  { holders: fc.array(holder, { minLength: 2, maxLength: 4 }) },
  async ({ holders }) => {
    const held = new Map<string, { expiration: number }>()
    const clients: Redis[] = []
    await Promise.all(
      holders.map(async ({ at, ttl, work, extends: isExtended, resources }) => {
        const client = new Redis(process.env.REDIS_URL!)
        clients.push(client)
        const redlock = new Redlock([client], { retryCount: 20, retryDelay: 10, retryJitter: 5 })
        await sleep(at)
        const lock = await redlock.lock(resources, ttl).catch(() => undefined)
        if (lock === undefined) return
        for (const resource of resources) {
          const other = held.get(resource)
          assert.ok(other === undefined || other.expiration <= Date.now(), `${resource} has two holders`)
          held.set(resource, lock)
        }
        await sleep(work)
        if (isExtended) await lock.extend(ttl).catch(() => undefined)
        await sleep(work)
        for (const resource of resources) if (held.get(resource) === lock) held.delete(resource)
        await lock.unlock().catch(() => undefined)
      }),
    )
    for (const client of clients) client.disconnect()
  },
)
