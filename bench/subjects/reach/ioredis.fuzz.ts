// ioredis without a Redis: a lost update between GET and SET.
import assert from 'node:assert/strict'
import { Redis } from 'ioredis'
import { twice } from './http.ts'
import { planted } from './planted.ts'

planted('ioredis: both visits count', async ({ isFixed }) => {
  const redis = new Redis(6379, '127.0.0.1')
  redis.on('error', () => {})
  await redis.set('visits', 0)
  await twice(async () => {
    if (isFixed) await redis.incr('visits')
    else await redis.set('visits', Number(await redis.get('visits')) + 1)
  })
  assert.equal(await redis.get('visits'), '2')
  redis.disconnect()
})
