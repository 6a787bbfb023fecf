// ioredis over a stand-in that drops connections: each command gets its own reply or an error, every
// one settles, and no connection is left after quit or disconnect.
import assert from 'node:assert/strict'
import { createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { fc, fuzz } from 'norn'
import { listen } from './unreliable.ts'

/** Answers `echo`, `subscribe` and what a client sends at its start; dies after so many commands. */
function standIn(lives: number[], dieInReply: boolean, sockets: Set<Socket>) {
  return createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket)).on('error', () => {})
    let left = lives.shift() ?? Number.POSITIVE_INFINITY
    let received = ''
    const bulk = (text: string) => `$${text.length}\r\n${text}\r\n`
    socket.on('data', (chunk) => {
      received += chunk
      for (;;) {
        const count = Number(/^\*(\d+)\r\n/.exec(received)?.[1])
        const command = new RegExp(`^\\*${count}\\r\\n((?:\\$\\d+\\r\\n[^\\r]*\\r\\n){${count}})`).exec(received)
        if (command === null) return
        received = received.slice(command[0].length)
        const [name, text = ''] = command[1]!.split('\r\n').filter((_, at) => at % 2 === 1)
        if (left-- <= 0) {
          if (dieInReply) socket.write('$3')
          return void socket.destroy()
        }
        if (name === 'echo') socket.write(bulk(text))
        else if (name === 'info') socket.write(bulk('redis_version:8.0.0\r\nloading:0'))
        else socket.write('+OK\r\n')
        if (name === 'quit') socket.end()
      }
    })
  })
}

fuzz(
  'ioredis: each command gets its own reply, and every one settles',
  {
    commands: fc.array(fc.integer({ min: 0, max: 40 }), { minLength: 1, maxLength: 6 }),
    lives: fc.array(fc.integer({ min: 0, max: 6 }), { maxLength: 3 }),
    dieInReply: fc.boolean(),
    options: fc.constantFrom({}, { enableAutoPipelining: true }, { enableReadyCheck: false }, { commandTimeout: 15 }),
    end: fc.constantFrom('quit', 'disconnect'),
    endAt: fc.option(fc.integer({ min: 0, max: 60 })),
  },
  async ({ commands, lives, dieInReply, options, end, endAt }) => {
    const sockets = new Set<Socket>()
    const server = standIn([...lives], dieInReply, sockets)
    const redis = new Redis({ port: await listen(server), host: '127.0.0.1', retryStrategy: () => 5, ...options })
    redis.on('error', () => {})
    const settled = Promise.all(
      commands.map(async (at, index) => {
        await sleep(at)
        const reply = await redis.echo(`${index}`).catch((error: unknown) => void assert.ok(error instanceof Error))
        if (reply !== undefined) assert.equal(reply, `${index}`)
        return true
      }),
    )
    if (endAt === null) await settled
    else await sleep(endAt)
    const ended = end === 'quit' ? redis.quit().catch(() => {}) : redis.disconnect()
    assert.ok(await Promise.race([Promise.all([settled, ended]), sleep(60_000, undefined)]), 'a command never settles')
    await sleep(1000)
    assert.equal(redis.status, 'end')
    assert.equal(sockets.size, 0, 'a connection is left')
    server.close()
  },
)
