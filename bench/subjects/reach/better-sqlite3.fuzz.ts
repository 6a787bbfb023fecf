// better-sqlite3, a native addon: a lost update between SELECT and UPDATE.
import assert from 'node:assert/strict'
import Database from 'better-sqlite3'
import { twice } from './http.ts'
import { pause, planted } from './planted.ts'

planted('better-sqlite3: no deposit is lost', async ({ isFixed }) => {
  const db = new Database(':memory:')
  db.exec('CREATE TABLE account AS SELECT 0 AS balance')
  const balance = () => Number(db.prepare('SELECT balance FROM account').pluck().get())
  await twice(async () => {
    const before = balance()
    await pause()
    if (isFixed) db.exec('UPDATE account SET balance = balance + 1')
    else db.prepare('UPDATE account SET balance = ?').run(before + 1)
  })
  assert.equal(balance(), 2)
  db.close()
})
