// node-pg-migrate 5.10.0 -> 6.0.0
//
// The race: two instances of an application migrate when they start, on a new database. Both find no table of
// migrations and create it, before either asks for the lock: the second fails, and its application does not start.
// 6.0.0 takes the lock first, so that one migrates and the other says so (issue 821).
import assert from 'node:assert/strict'
import { join } from 'node:path'
import migrate from 'node-pg-migrate-buggy'
import { fuzz } from 'norn'
import pg from 'pg'

const REFUSED = 'Another migration is already running'

fuzz('node-pg-migrate: one of two runners migrates, and the other does not mind', {}, async () => {
  const options = {
    databaseUrl: process.env.DATABASE_URL,
    dir: join(import.meta.dirname, 'migrations'),
    migrationsTable: 'migrations',
    direction: 'up',
    log: () => {},
  }
  const runs = await Promise.allSettled([migrate.default(options), migrate.default(options)])
  const failures = runs.flatMap((run) => (run.status === 'rejected' ? [run.reason.message.split('\n')[0]] : []))
  assert.deepEqual(
    failures.filter((message) => message !== REFUSED),
    [],
  )
  assert.ok(failures.length < 2, 'each says that the other one migrates')
  const client = new pg.Client({ connectionString: process.env.DATABASE_URL })
  await client.connect()
  const { rows } = await client.query('SELECT name FROM migrations, items')
  await client.end()
  assert.equal(rows.length, 1)
})
