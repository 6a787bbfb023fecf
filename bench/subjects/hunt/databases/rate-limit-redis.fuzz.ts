// rate-limit-redis: each request is counted, so as many pass in a window as the limit says.
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { fc, fuzz } from 'norn'
import { RedisStore } from 'rate-limit-redis'

const hits = fc.array(fc.record({ store: fc.nat(1), at: fc.constantFrom(0, 0, 1, 50, 900, 999, 1000, 1001, 1100) }), {
  minLength: 2,
  maxLength: 8,
})

fuzz('rate-limit-redis: each request is counted', { hits }, async ({ hits }) => {
  const clients = [1, 2].map(() => new Redis(process.env.REDIS_URL!))
  const stores = clients.map((client) => {
    const store = new RedisStore({ sendCommand: (command, ...args) => client.call(command, ...args) as never })
    // express-rate-limit does not wait for it either.
    return { store, ready: store.init({ windowMs: 1000 } as never) }
  })
  /** Of each answer: the count, by the end of the window. */
  const counts: { totalHits: number; reset: number }[] = []
  await Promise.all(
    hits.map(async ({ store, at }) => {
      await sleep(at)
      const { totalHits, resetTime } = await stores[store]!.store.increment('key')
      counts.push({ totalHits, reset: resetTime!.getTime() })
    }),
  )
  await Promise.all(stores.map(({ ready }) => ready))
  for (const client of clients) client.disconnect()
  const starts = counts.filter(({ totalHits }) => totalHits === 1).length
  // In each window they count from one on, without a gap.
  const of = (count: number) => counts.filter(({ totalHits }) => totalHits === count).length
  for (let count = 1; count <= hits.length; count++)
    assert.ok(of(count) <= starts, `${of(count)} requests are number ${count}`)
  for (let count = 2; count <= hits.length; count++)
    assert.ok(of(count) <= of(count - 1), `nobody was number ${count - 1}`)
})
