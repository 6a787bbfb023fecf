/** A queue of jobs in a table of PostgreSQL. Each worker takes a job of its own, as it skips rows that are locked. */
import type { Pool, PoolClient } from 'pg'

export interface Options {
  /** Keeps the lock of a job until the job is done. */
  readonly holds?: boolean
  /** Asks for notifications before it looks for jobs, and not after. */
  readonly listensFirst?: boolean
}

const NEXT = 'SELECT id, name FROM jobs ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED'

/** Adds a job, and wakes the workers. */
export async function add(pool: Pool, name: string): Promise<void> {
  await pool.query('INSERT INTO jobs (name) VALUES ($1)', [name])
  await pool.query('NOTIFY jobs')
}

/** Does the jobs that there are, and those that are added later. Resolves to a function that stops the worker. */
export async function work(
  pool: Pool,
  perform: (name: string) => Promise<void>,
  { holds = false, listensFirst = false }: Options = {},
): Promise<() => Promise<void>> {
  const client = await pool.connect()
  let drained = Promise.resolve()
  const drain = () => (drained = drained.then(() => drainJobs(client, perform, holds)))
  client.on('notification', drain)
  if (listensFirst) await client.query('LISTEN jobs')
  await drain()
  if (!listensFirst) await client.query('LISTEN jobs')
  return async () => {
    await client.query('UNLISTEN jobs')
    await drained
    client.off('notification', drain).release()
  }
}

async function drainJobs(client: PoolClient, perform: (name: string) => Promise<void>, holds: boolean): Promise<void> {
  for (;;) {
    if (holds) await client.query('BEGIN')
    const [job] = (await client.query<{ id: number; name: string }>(NEXT)).rows
    if (job !== undefined) {
      await perform(job.name)
      await client.query('DELETE FROM jobs WHERE id = $1', [job.id])
    }
    if (holds) await client.query('COMMIT')
    if (job === undefined) return
  }
}
