// node:sqlite in a file: a lost update between SELECT and UPDATE.
import assert from 'node:assert/strict'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { twice } from './http.ts'
import { pause, planted } from './planted.ts'

planted('node:sqlite: no deposit is lost', async ({ isFixed }) => {
  const db = new DatabaseSync(join(tmpdir(), 'account.db'))
  db.exec('DROP TABLE IF EXISTS account; CREATE TABLE account AS SELECT 0 AS balance')
  const balance = () => Number(db.prepare('SELECT balance FROM account').get()!.balance)
  await twice(async () => {
    const before = balance()
    await pause()
    if (isFixed) db.exec('UPDATE account SET balance = balance + 1')
    else db.prepare('UPDATE account SET balance = ?').run(before + 1)
  })
  assert.equal(balance(), 2)
  db.close()
})
