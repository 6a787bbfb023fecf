// sql.js, SQLite in WebAssembly: a lost update between SELECT and UPDATE.
import assert from 'node:assert/strict'
import initSqlJs from 'sql.js'
import { twice } from './http.ts'
import { pause, planted } from './planted.ts'

planted('sql.js: no deposit is lost', async ({ isFixed }) => {
  const { Database } = await initSqlJs()
  const db = new Database()
  db.run('CREATE TABLE account AS SELECT 0 AS balance')
  const balance = () => Number(db.exec('SELECT balance FROM account')[0]!.values[0]![0])
  await twice(async () => {
    const before = balance()
    await pause()
    if (isFixed) db.run('UPDATE account SET balance = balance + 1')
    else db.run('UPDATE account SET balance = ?', [before + 1])
  })
  assert.equal(balance(), 2)
  db.close()
})
