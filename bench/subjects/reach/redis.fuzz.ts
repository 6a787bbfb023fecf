// node-redis without a Redis: a lost update between GET and SET.
import assert from 'node:assert/strict'
import { createClient } from 'redis'
import { twice } from './http.ts'
import { planted } from './planted.ts'

planted('redis: both visits count', async ({ isFixed }) => {
  const redis = createClient({ url: 'redis://127.0.0.1:6379', socket: { reconnectStrategy: false } })
  redis.on('error', () => {})
  await redis.connect()
  await redis.set('visits', 0)
  await twice(async () => {
    if (isFixed) await redis.incr('visits')
    else await redis.set('visits', Number(await redis.get('visits')) + 1)
  })
  assert.equal(await redis.get('visits'), '2')
  redis.destroy()
})
