// pg without a PostgreSQL: a lost update between SELECT and UPDATE.
import assert from 'node:assert/strict'
import pg from 'pg'
import { twice } from './http.ts'
import { planted } from './planted.ts'

planted('pg: no deposit is lost', async ({ isFixed }) => {
  const pool = new pg.Pool({ connectionString: 'postgres://norn:norn@127.0.0.1:5432/norn' })
  await pool.query('CREATE TEMP TABLE account AS SELECT 0 AS balance')
  await twice(async () => {
    if (isFixed) return pool.query('UPDATE account SET balance = balance + 1')
    const { rows } = await pool.query('SELECT balance FROM account')
    return pool.query('UPDATE account SET balance = $1', [rows[0].balance + 1])
  })
  assert.deepEqual((await pool.query('SELECT balance FROM account')).rows, [{ balance: 2 }])
  await pool.end()
})
