// ioredis and a stand-in for Redis, 15 lines of its protocol: a lost update between GET and SET.
import assert from 'node:assert/strict'
import { createServer } from 'node:net'
import { Redis } from 'ioredis'
import { close, twice, urlOf } from './http.ts'
import { planted } from './planted.ts'

/** Speaks the Redis protocol as far as pipelines of short commands do. */
const redisServer = (values: Map<string, string>) =>
  createServer((socket) => {
    let received = ''
    const bulk = (text: string | undefined) => (text === undefined ? '$-1\r\n' : `$${text.length}\r\n${text}\r\n`)
    const answer = ([name, key, value]: readonly string[]): string => {
      if (name === 'get') return bulk(values.get(key!))
      if (name === 'info') return bulk('redis_version:8.0.0\r\nloading:0')
      if (name !== 'set' && name !== 'incr') return '+OK\r\n'
      values.set(key!, name === 'set' ? value! : `${Number(values.get(key!)) + 1}`)
      return name === 'set' ? '+OK\r\n' : `:${values.get(key!)}\r\n`
    }
    socket.on('data', (chunk) => {
      received += chunk
      for (;;) {
        const count = Number(/^\*(\d+)\r\n/.exec(received)?.[1])
        const command = new RegExp(`^\\*${count}\\r\\n((?:\\$\\d+\\r\\n[^\\r]*\\r\\n){${count}})`).exec(received)
        if (command === null) return
        received = received.slice(command[0].length)
        socket.write(answer(command[1]!.split('\r\n').filter((_, at) => at % 2 === 1)))
      }
    })
  })

planted('ioredis with a stand-in: both visits count', async ({ isFixed }) => {
  const server = redisServer(new Map([['visits', '0']])).listen(0)
  const { port } = new URL(await urlOf(server))
  const clients = [new Redis(Number(port)), new Redis(Number(port))]
  await twice(async (which) => {
    const redis = clients[which - 1]!
    if (isFixed) await redis.incr('visits')
    else await redis.set('visits', Number(await redis.get('visits')) + 1)
  })
  assert.equal(await clients[0]!.get('visits'), '2')
  for (const redis of clients) redis.disconnect()
  await close(server)
})
