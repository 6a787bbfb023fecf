// pg and a server in the same process that speaks as much of PostgreSQL's protocol as this needs: a lost update.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import pg from 'pg'
import { twice } from './http.ts'
import { planted } from './planted.ts'

/** A message of the server: its type, the length of the rest, the rest. */
function message(type: string, ...parts: readonly (string | Buffer)[]): Buffer {
  const body = Buffer.concat(parts.map((each) => (typeof each === 'string' ? Buffer.from(each) : each)))
  const head = Buffer.alloc(5)
  head.write(type)
  head.writeInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}

const numbers = (size: 2 | 4, ...values: readonly number[]): Buffer => {
  const bytes = Buffer.alloc(size * values.length)
  for (const [at, value] of values.entries()) bytes.writeIntBE(value, at * size, size)
  return bytes
}

const READY = message('Z', 'I')
const INTEGER = Buffer.concat([
  numbers(4, 0),
  numbers(2, 0),
  numbers(4, 23),
  numbers(2, 4),
  numbers(4, -1),
  numbers(2, 0),
])

/** An account whose balance is read, set and raised. */
function fakeServer() {
  let balance = 0
  const answer = (query: string): Buffer => {
    if (query.startsWith('SELECT')) {
      const text = `${balance}`
      return Buffer.concat([
        message('T', numbers(2, 1), 'balance\0', INTEGER),
        message('D', numbers(2, 1), numbers(4, text.length), text),
        message('C', 'SELECT 1\0'),
        READY,
      ])
    }
    balance = query.includes('+') ? balance + 1 : Number(/\d+$/.exec(query)![0])
    return Buffer.concat([message('C', 'UPDATE 1\0'), READY])
  }
  return createServer((socket) => {
    let isStarted = false
    let pending = Buffer.alloc(0)
    socket.on('data', (bytes) => {
      pending = Buffer.concat([pending, bytes])
      while (true) {
        const start = isStarted ? 1 : 0
        if (pending.length < start + 4) return
        const end = start + pending.readInt32BE(start)
        if (pending.length < end) return
        const type = isStarted ? String.fromCharCode(pending[0]!) : ''
        const body = pending.subarray(start + 4, end)
        pending = pending.subarray(end)
        if (!isStarted) socket.write(Buffer.concat([message('R', numbers(4, 0)), READY]))
        else if (type === 'Q') socket.write(answer(body.toString('utf8', 0, body.length - 1)))
        else if (type === 'X') socket.end()
        isStarted = true
      }
    })
  })
}

planted('pg with a fake server: no deposit is lost', async ({ isFixed }) => {
  const server = fakeServer().listen(0)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const pool = new pg.Pool({ host: '127.0.0.1', port, user: 'norn', password: 'norn', database: 'norn', max: 2 })
  await twice(async () => {
    if (isFixed) return pool.query('UPDATE account SET balance = balance + 1')
    const { rows } = await pool.query('SELECT balance FROM account')
    return pool.query(`UPDATE account SET balance = ${rows[0].balance + 1}`)
  })
  const { rows } = await pool.query('SELECT balance FROM account')
  await pool.end()
  server.close()
  assert.deepEqual(rows, [{ balance: 2 }])
})
