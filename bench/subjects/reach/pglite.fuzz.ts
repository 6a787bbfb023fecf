// PGlite, PostgreSQL in WebAssembly: a lost update between SELECT and UPDATE.
import assert from 'node:assert/strict'
import { PGlite } from '@electric-sql/pglite'
import { twice } from './http.ts'
import { pause, planted } from './planted.ts'

planted('PGlite: no deposit is lost', async ({ isFixed }) => {
  const db = await PGlite.create()
  await db.exec('CREATE TABLE account AS SELECT 0 AS balance')
  await twice(async () => {
    if (isFixed) return db.query('UPDATE account SET balance = balance + 1')
    const { rows } = await db.query<{ balance: number }>('SELECT balance FROM account')
    await pause()
    return db.query('UPDATE account SET balance = $1', [rows[0]!.balance + 1])
  })
  assert.deepEqual((await db.query('SELECT balance FROM account')).rows, [{ balance: 2 }])
  await db.close()
})
