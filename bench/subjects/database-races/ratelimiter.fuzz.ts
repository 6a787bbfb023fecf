// ratelimiter 1.0.2 -> 1.0.3
//
// The race: two servers ask at once whether a client may go on. Both read how many calls are left, and write one less:
// two calls count as one. 1.0.3 watches the key that it has read (pull request 7).
import assert from 'node:assert/strict'
import { promisify } from 'node:util'
import { fuzz } from 'norn'
import Limiter from 'ratelimiter-buggy'
import redis from 'redis'

fuzz('ratelimiter: each call takes one', {}, async () => {
  const left: number[] = []
  await Promise.all(
    [1, 2].map(async () => {
      const db = redis.createClient(process.env.REDIS_URL!)
      const limiter = new Limiter({ id: 'ada', db, max: 10 })
      for (let call = 0; call < 2; call++) left.push((await promisify(limiter.get.bind(limiter))()).remaining)
      await promisify(db.quit.bind(db))()
    }),
  )
  assert.deepEqual(left.sort(), [6, 7, 8, 9])
})
