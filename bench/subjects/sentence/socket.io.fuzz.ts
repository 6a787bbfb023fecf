// socket.io 4.5.1 -> 4.5.2
//
// The race: a client leaves while a middleware still works. The middleware then lets a socket join a room that is
// closed already, and nothing takes it out again. 4.5.2 takes it out, and has it join no more. It still leaves those
// whose connection closes just when they are let in: they do not count here.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { fc, fuzz } from 'norn'
import { Server } from 'socket.io-buggy'
import { io as connect } from 'socket.io-client'

const ms = fc.integer({ min: 1, max: 30 })

fuzz(
  'socket.io: who leaves before being let in is in no room',
  { clients: fc.array(fc.record({ lookup_ms: ms, leave_ms: ms }), { minLength: 1, maxLength: 3 }) },
  async ({ clients }) => {
    const http = createServer()
    const io = new Server(http)
    io.use(async (socket, next) => {
      await sleep(Number(socket.handshake.auth.lookup_ms))
      await socket.join('members')
      next()
    })
    const letIn = new Set<string>()
    io.on('connection', ({ id }) => letIn.add(id))
    http.listen(0, '127.0.0.1')
    await once(http, 'listening')
    const { port } = http.address() as AddressInfo
    for (const { lookup_ms, leave_ms } of clients) {
      const client = connect(`http://127.0.0.1:${port}`, {
        transports: ['websocket'],
        reconnection: false,
        forceNew: true,
        auth: { lookup_ms },
      })
      setTimeout(() => client.disconnect(), leave_ms)
    }
    await sleep(1_000)
    const members = io.of('/').adapter.rooms.get('members') ?? new Set()
    io.close()
    assert.deepEqual(
      [...members].filter((id) => !letIn.has(id)),
      [],
    )
  },
)
