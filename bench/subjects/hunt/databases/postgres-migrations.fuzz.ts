// postgres-migrations: two runs at once on a new database. One waits for the other, each migration runs once, and no
// transaction or lock is left. The database is given by a client, or by a pool that the application uses meanwhile.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { fuzz } from 'norn'
import pg from 'pg'
import { migrate } from 'postgres-migrations'

const FOLDER = join(import.meta.dirname, 'migrations')
const connectionString = process.env.DATABASE_URL

async function withClient() {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    return await migrate({ client }, FOLDER)
  } finally {
    await client.end()
  }
}

/** The names of those that ran. */
const names = (runs: { name: string }[][]) => runs.map((run) => run.map(({ name }) => name))

fuzz('postgres-migrations: two runs with a client each', {}, async () => {
  const runs = names(await Promise.all([withClient(), withClient()]))
  assert.deepEqual(runs.map(({ length }) => length).sort(), [0, 3])
})

/** More than the pool has connections. */
const WRITERS = 3

fuzz('postgres-migrations: a run with a pool that is used meanwhile', {}, async () => {
  const client = new pg.Client({ connectionString })
  await client.connect()
  await client.query('CREATE TABLE events (id integer)')
  const pool = new pg.Pool({ connectionString, max: 2 })
  let isMigrating = true
  let written = 0
  const writing = Array.from({ length: WRITERS }, async () => {
    for (; isMigrating; written++) await pool.query('INSERT INTO events VALUES (1)')
  })
  const runs = await migrate({ client: pool }, FOLDER).finally(() => {
    isMigrating = false
  })
  await Promise.all(writing)
  const items = await client.query('SELECT id FROM items ORDER BY id')
  const locks = await client.query("SELECT 1 FROM pg_locks WHERE locktype = 'advisory'")
  await pool.end()
  const { rows: events } = await client.query('SELECT id FROM events')
  await client.end()
  assert.equal(runs.length, 3)
  assert.deepEqual(items.rows, [{ id: 1 }, { id: 2 }])
  assert.equal(locks.rows.length, 0, 'the lock is held after the run')
  assert.equal(events.length, written, 'what the application wrote is lost')
})
