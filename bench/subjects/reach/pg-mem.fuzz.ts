// pg-mem by its adapter for pg: a lost update between SELECT and UPDATE.
import assert from 'node:assert/strict'
import { newDb } from 'pg-mem'
import { twice } from './http.ts'
import { pause, planted } from './planted.ts'

planted('pg-mem: no deposit is lost', async ({ isFixed }) => {
  const { Pool } = newDb().adapters.createPg()
  const pool = new Pool()
  await pool.query('CREATE TABLE account (balance int)')
  await pool.query('INSERT INTO account VALUES (0)')
  await twice(async () => {
    if (isFixed) return pool.query('UPDATE account SET balance = balance + 1')
    const { rows } = await pool.query('SELECT balance FROM account')
    await pause()
    return pool.query(`UPDATE account SET balance = ${rows[0].balance + 1}`)
  })
  assert.deepEqual((await pool.query('SELECT balance FROM account')).rows, [{ balance: 2 }])
  await pool.end()
})
