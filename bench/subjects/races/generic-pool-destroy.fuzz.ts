// generic-pool 3.1.5 -> 3.1.6
//
// The race: a client asks for a connection while all are in use, and the one that it could have had is not released but
// destroyed. destroy() makes room in the pool, but does not look whether somebody waits: the client waits until another
// one comes along. 3.1.6 looks (change 173, "pool.destroy didn't re-dispense resources").
//
// Zero input: two clients that start together, for a timer of 0 ms fires with one of 1 ms. It fails by default as well.
// Clients further apart fail only if one is delayed.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import genericPool from 'generic-pool-destroy-buggy'
import { fc, fuzz } from 'norn'

const patience_ms = 5_000

fuzz(
  'generic-pool: a destroyed connection makes room for a client that waits',
  { gaps_ms: fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 3 }) },
  async ({ gaps_ms }) => {
    const server = createServer((socket) => socket.once('data', () => socket.end('hello'))).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const factory = {
      async create() {
        const socket = connect(port, '127.0.0.1')
        await once(socket, 'connect')
        return socket
      },
      destroy: async (socket: Socket) => void socket.destroy(),
    }
    const pool = genericPool.createPool(factory, { max: 1 })

    let waiting = 0
    const use = async (start_ms: number) => {
      waiting++
      await sleep(start_ms)
      const socket = await pool.acquire()
      waiting--
      socket.write('hello')
      await text(socket)
      // The server answers once a connection, so this one is of no use to anybody else.
      await pool.destroy(socket)
    }
    let start_ms = 0
    const used = Promise.all([0, ...gaps_ms].map((gap_ms) => use((start_ms += gap_ms))))
    await Promise.race([used, sleep(patience_ms)])
    assert.equal(waiting, 0, `${waiting} clients wait for ever, although the pool has room`)
    server.close()
    await once(server, 'close')
  },
)
