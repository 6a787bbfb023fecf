// pg and, behind a socket, PGlite as the stand-in: a lost update between SELECT and UPDATE.
import assert from 'node:assert/strict'
import { PGlite } from '@electric-sql/pglite'
import { PGLiteSocketServer } from '@electric-sql/pglite-socket'
import pg from 'pg'
import { twice } from './http.ts'
import { planted } from './planted.ts'

planted('pg with a stand-in: no deposit is lost', async ({ isFixed }) => {
  const db = await PGlite.create()
  await db.exec('CREATE TABLE account AS SELECT 0 AS balance')
  const server = new PGLiteSocketServer({ db, port: 5432, host: '127.0.0.1', maxConnections: 2 })
  await server.start()
  const pool = new pg.Pool({ connectionString: 'postgres://postgres:postgres@127.0.0.1:5432/postgres', max: 2 })
  await twice(async () => {
    if (isFixed) return pool.query('UPDATE account SET balance = balance + 1')
    const { rows } = await pool.query('SELECT balance FROM account')
    return pool.query('UPDATE account SET balance = $1', [rows[0].balance + 1])
  })
  const { rows } = await pool.query('SELECT balance FROM account')
  await pool.end()
  await server.stop()
  await db.close()
  assert.deepEqual(rows, [{ balance: 2 }])
})
