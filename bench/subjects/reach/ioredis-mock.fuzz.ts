// ioredis-mock: a lost update between GET and SET.
import assert from 'node:assert/strict'
import Redis from 'ioredis-mock'
import { twice } from './http.ts'
import { pause, planted } from './planted.ts'

planted('ioredis-mock: both visits count', async ({ isFixed }) => {
  const redis = new Redis()
  await redis.set('visits', 0)
  await twice(async () => {
    if (isFixed) return redis.incr('visits')
    const visits = Number(await redis.get('visits'))
    await pause()
    return redis.set('visits', visits + 1)
  })
  assert.equal(await redis.get('visits'), '2')
  redis.disconnect()
})
