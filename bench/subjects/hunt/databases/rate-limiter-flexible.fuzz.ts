// rate-limiter-flexible: increments are atomic. Of the calls of a duration as many pass as there are points, and each
// has a count of its own.
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { fc, fuzz } from 'norn'
import pg from 'pg'
import { RateLimiterPostgres, RateLimiterRedis, type RateLimiterRes } from 'rate-limiter-flexible'

const calls = fc.array(fc.record({ limiter: fc.nat(1), at: fc.constantFrom(0, 0, 1, 900, 999, 1000, 1100) }), {
  minLength: 2,
  maxLength: 8,
})

interface Limiter {
  consume(key: string): Promise<RateLimiterRes>
}

const POINTS = 3
const DURATION_MS = 1000
/** Of a call and its answer, at most. */
const SLACK_MS = 200

async function check(limiters: readonly Limiter[], plan: readonly { limiter: number; at: number }[]) {
  const passed: number[] = []
  const counts: string[] = []
  await Promise.all(
    plan.map(async ({ limiter, at }) => {
      await sleep(at)
      const result = await limiters[limiter]!.consume('key').then(
        (res) => {
          passed.push(Date.now())
          return res
        },
        (rejected: RateLimiterRes | Error) => {
          if (rejected instanceof Error) throw rejected
          return rejected
        },
      )
      if (at < 100) counts.push(`${result.consumedPoints}`)
    }),
  )
  // All of them are in the first duration.
  assert.deepEqual(counts.sort(), counts.map((_, index) => `${index + 1}`).sort())
  for (const at of passed) {
    const near = passed.filter((other) => other >= at && other < at + DURATION_MS - SLACK_MS)
    // Two fixed windows can touch.
    assert.ok(near.length <= 2 * POINTS, `${near.length} calls passed within a duration`)
  }
}

fuzz('rate-limiter-flexible: Redis counts each call', { calls }, async ({ calls }) => {
  const clients = [1, 2].map(() => new Redis(process.env.REDIS_URL!))
  const limiters = clients.map((storeClient) => new RateLimiterRedis({ storeClient, points: POINTS, duration: 1 }))
  await check(limiters, calls)
  for (const client of clients) client.disconnect()
})

fuzz('rate-limiter-flexible: PostgreSQL counts each call', { calls }, async ({ calls }) => {
  const pools = [1, 2].map(() => new pg.Pool({ connectionString: process.env.DATABASE_URL }))
  const limiters = await Promise.all(
    pools.map(
      (storeClient) =>
        new Promise<Limiter>((resolve, reject) => {
          const options = {
            storeClient,
            points: POINTS,
            duration: 1,
            tableName: 'limits',
            clearExpiredByTimeout: false,
          }
          const limiter = new RateLimiterPostgres(options, (error) => (error ? reject(error) : resolve(limiter)))
        }),
    ),
  )
  await check(limiters, calls)
  for (const pool of pools) await pool.end()
})
