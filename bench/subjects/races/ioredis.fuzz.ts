// ioredis 4.17.1 -> 4.17.3
//
// The race: the server drops the connection, the client waits 50 ms to connect again, and the application meanwhile
// calls disconnect(true) to have it reconnect. That cancels the wait: the client never connects again, and its commands
// wait for ever. 4.17.3 cancels it only for a disconnect for good ("race conditions in `Redis#disconnect()` can cancel
// reconnection unexpectedly", issue 1138).
//
// Zero input: the drop and the disconnect in the same tick, where the client does not know of the drop yet. An input
// with the disconnect after the drop fails by default as well; with the disconnect before, only if it is delayed.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import Redis from 'ioredis-buggy'
import { fc, fuzz } from 'norn'

const patience_ms = 10_000
const replies: Record<string, string> = { ping: '+PONG\r\n', info: '$11\r\nloading:0\r\n\r\n' }

/** Answers commands without parameters as Redis does. */
function serve(socket: Socket): void {
  let input = ''
  socket.on('error', () => {})
  socket.on('data', (chunk) => {
    input = `${input}${chunk}`.replace(/\*1\r\n\$4\r\n(\w{4})\r\n/g, (_, command: string) => {
      socket.write(replies[command.toLowerCase()]!)
      return ''
    })
  })
}

fuzz(
  'ioredis: disconnect(true) connects again',
  { drop_at_ms: fc.integer({ min: 0, max: 10 }), disconnect_at_ms: fc.integer({ min: 0, max: 10 }) },
  async ({ drop_at_ms, disconnect_at_ms }) => {
    const connections: Socket[] = []
    const server = createServer((socket) => {
      connections.push(socket)
      serve(socket)
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const redis = new Redis((server.address() as AddressInfo).port, '127.0.0.1')
    redis.on('error', () => {})
    await once(redis, 'ready')

    const drop = sleep(drop_at_ms).then(() => connections[0]!.destroy())
    const disconnect = sleep(disconnect_at_ms).then(() => redis.disconnect(true))
    await Promise.all([drop, disconnect])
    const answer = await Promise.race([redis.ping(), sleep(patience_ms, 'no answer')])
    assert.equal(answer, 'PONG', 'the client does not connect again')

    redis.disconnect()
    server.close()
    await once(server, 'close')
  },
)
