// mysql2's pool over its own server: each query gets its own rows or an error, every one settles, and
// end() calls back and leaves no connection.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { AddressInfo, Server, Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import mysql from 'mysql2'
import { fc, fuzz } from 'norn'

const COLUMN = { catalog: 'def', schema: '', table: '', orgTable: '', name: 'n', orgName: 'n', characterSet: 63 }
const INTEGER = { columnLength: 11, columnType: 3, type: 3, flags: 0, decimals: 0 }
const HANDSHAKE = { protocolVersion: 10, serverVersion: '8.0.0', connectionId: 1, statusFlags: 2, characterSet: 8 }

type Server2 = Server & { _server: Server }

const query = fc.record({ at: fc.integer({ min: 0, max: 60 }), takes: fc.integer({ min: 0, max: 20 }) })

/** What a server of mysql2 has of a client. */
interface Connection {
  readonly stream: Socket
  serverHandshake(options: object): void
  writeTextResult(rows: readonly object[], columns: readonly object[]): void
  on(event: 'error' | 'query', listener: (sql: string) => void): void
}

fuzz(
  'mysql2: each query gets its own rows, and end leaves no connection',
  {
    queries: fc.array(query, { minLength: 1, maxLength: 6 }),
    cuts: fc.array(fc.integer({ min: 0, max: 80 }), { maxLength: 3 }),
    connectionLimit: fc.integer({ min: 1, max: 2 }),
    endAt: fc.option(fc.integer({ min: 0, max: 80 })),
  },
  async ({ queries, cuts, connectionLimit, endAt }) => {
    const sockets = new Set<Socket>()
    const server = (
      mysql as unknown as { createServer(handler: (connection: Connection) => void): Server2 }
    ).createServer((connection) => {
      connection.serverHandshake({ ...HANDSHAKE, capabilityFlags: 0xffffff ^ 0x0800 })
      connection.on('error', () => {})
      connection.on('query', async (sql: string) => {
        const [, n = '', takes] = sql.split(' ')
        await sleep(Number(takes))
        if (!connection.stream.destroyed) connection.writeTextResult([{ n }], [{ ...COLUMN, ...INTEGER }])
      })
    })
    server._server.on('connection', (socket: Socket) => {
      sockets.add(socket.on('close', () => sockets.delete(socket)))
    })
    server.listen(0)
    await once(server._server, 'listening')
    const { port } = server._server.address() as AddressInfo
    const pool = mysql.createPool({ host: '127.0.0.1', port, user: 'u', connectionLimit } as object).promise()
    for (const at of cuts) setTimeout(() => [...sockets].forEach((socket) => void socket.destroy()), at)
    const settled = queries.map(async ({ at, takes }, index) => {
      await sleep(at)
      const rows = await pool.query(`select ${index} ${takes}`).then(
        ([rows]) => rows as unknown as { n: number }[],
        (error) => assert.ok(error instanceof Error),
      )
      if (rows !== undefined) assert.equal(rows[0]?.n, index)
      return true
    })
    const all = Promise.race([Promise.all(settled), sleep(60_000, undefined)])
    if (endAt === null) await all
    else await sleep(endAt)
    const ended = pool.end().then(
      () => true,
      () => true,
    )
    assert.ok(await Promise.race([ended, sleep(60_000, undefined)]), 'end() does not call back')
    assert.ok(await all, 'a query never settles')
    await sleep(1000)
    assert.equal(sockets.size, 0, 'a connection is left')
    server._server.close()
  },
)
