// pg-pool 2.0.4 -> 2.0.5 (node-postgres issue 1777): a client that failed to connect leaves the pool, so that every
// connect() settles.
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { fc, fuzz } from 'norn'
import pg from 'pg'
import Pool from 'pg-pool-buggy'

/** A server that knows enough of PostgreSQL's protocol to let clients in. */
async function openServer(loginMs: () => number) {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
    let ready = false
    socket.on('data', async () => {
      if (ready) return
      ready = true
      await sleep(loginMs())
      socket.write(Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0, 0x5a, 0, 0, 0, 5, 0x49]))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { server, sockets, port: (server.address() as AddressInfo).port }
}

const client = fc.record({ afterMs: fc.integer({ min: 0, max: 20 }), holdMs: fc.integer({ min: 0, max: 20 }) })

fuzz(
  'pg-pool: every connect() settles',
  { clients: fc.array(client, { minLength: 1, maxLength: 4 }), max: fc.integer({ min: 1, max: 2 }) },
  async ({ clients, max }) => {
    const { server, port } = await openServer(() => 1)
    const pool = new Pool({
      Client: pg.Client,
      host: '127.0.0.1',
      port,
      user: 'u',
      database: 'd',
      max,
      ssl: false,
    })
    pool.on('error', () => {})
    await Promise.all(
      clients.map(async ({ afterMs, holdMs }) => {
        await sleep(afterMs)
        const connection = await pool.connect().catch(() => undefined)
        if (connection === undefined) return
        await sleep(holdMs)
        connection.release()
      }),
    )
    await pool.end()
    server.close()
  },
  { faults: { refusals: 1, resets: 1 } },
)
