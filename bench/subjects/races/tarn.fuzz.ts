// tarn 2.0.0 -> 3.0.0
//
// The race: creating a connection takes longer than createTimeoutMillis, and the pool is destroyed before it succeeds
// after all. destroy() does not wait for a creation that was given up, and the pool takes its connection in when nobody
// looks any more: it stays open for ever. 3.0.0 destroys it ("Fixed releasing abandoned resource after creation when
// create timeout", change 48).
//
// Zero input: one client, and destroy() in the same tick. Under the default schedule no creation takes longer than the
// greeting, 5 ms, so no input meets the timeout of 10 ms; an operation that is delayed does.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { fc, fuzz } from 'norn'
import { Pool } from 'tarn-buggy'

const settled_ms = 1_000

fuzz(
  'tarn: destroy() leaves no connection',
  {
    clients: fc.integer({ min: 1, max: 3 }),
    greeting_ms: fc.integer({ min: 0, max: 5 }),
    destroy_at_ms: fc.integer({ min: 0, max: 20 }),
  },
  async ({ clients, greeting_ms, destroy_at_ms }) => {
    const server = createServer(async (socket) => {
      socket.on('error', () => {})
      await sleep(greeting_ms)
      socket.write('hello')
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const pool = new Pool<Socket>({
      async create() {
        const socket = connect(port, '127.0.0.1')
        await once(socket, 'data')
        return socket
      },
      destroy: async (socket) => void socket.destroy(),
      min: 0,
      max: 3,
      createTimeoutMillis: 10,
    })

    const use = async () => {
      const socket = await pool.acquire().promise.catch(() => undefined)
      if (socket !== undefined) pool.release(socket)
    }
    const used = Promise.all(Array.from({ length: clients }, use))
    await sleep(destroy_at_ms)
    await pool.destroy()
    await used
    await sleep(settled_ms)
    const open = await promisify(server.getConnections.bind(server))()
    assert.equal(open, 0, `${open} connections are still open after destroy()`)
    server.close()
    await once(server, 'close')
  },
)
