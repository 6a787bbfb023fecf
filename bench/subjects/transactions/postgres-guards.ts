/** Work of a session on accounts in PostgreSQL, by what guards it: what it added, once that is committed. */
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Balances, deltasOf, type PostgresGuard, rowsOf, type Work } from '../../databases/transactions/program.ts'
import type { Done } from './invariants.ts'
import type { Query } from './postgres-clients.ts'

/** How many are where only one may be. */
export interface Section {
  inside: number
}

interface Options {
  readonly query: Query
  readonly work: Work
  /** Reads accounts by one statement. */
  readonly together: boolean
  readonly section: Section
}

type Guarded = (options: Options) => Promise<Done>

/** Could not serialize, a deadlock, a lock that was not to be had; and a version that is another one. */
const RETRIED = new Set(['40001', '40P01', '55P03', 'version'])

const GUARDS: Readonly<Record<PostgresGuard, Guarded>> = {
  serializable: (options) => isolated(options, 'SERIALIZABLE'),
  'serializable, audits deferrable': (options) =>
    isolated(options, `SERIALIZABLE${options.work.kind === 'audit' ? ' READ ONLY DEFERRABLE' : ''}`),
  'repeatable read': (options) => isolated(options, 'REPEATABLE READ'),
  'for update': (options) => locked(options, 'ORDER BY id FOR UPDATE'),
  'for update one by one': (options) => locked({ ...options, together: false }, 'FOR UPDATE'),
  'for update in any order': (options) =>
    locked({ ...options, together: false }, 'FOR UPDATE', 'BEGIN', rowsOf(options.work).toReversed()),
  'for no key update': (options) => locked(options, 'ORDER BY id FOR NO KEY UPDATE'),
  nowait: (options) => locked(options, 'ORDER BY id FOR UPDATE NOWAIT'),
  'lock timeout': (options) => locked(options, 'ORDER BY id FOR UPDATE', `BEGIN; SET LOCAL lock_timeout = '2ms'`),
  'advisory lock': (options) => advised(options, [0]),
  'advisory lock of a row': (options) => advised(options, rowsOf(options.work)),
  'advisory lock of a transaction': (options) =>
    transaction(options.query, 'BEGIN', async () => {
      await options.query('SELECT pg_advisory_xact_lock(0)')
      return alone(options.section, () => readAndWrite(options, read(options)))
    }),
  'advisory lock, tried': async (options) => {
    const isTaken = async () => (await options.query('SELECT pg_try_advisory_lock(0)::int AS taken')).rows[0]!.taken
    while (!(await isTaken())) await sleep(1)
    const done = await alone(options.section, () => readAndWrite(options, read(options)))
    await options.query('SELECT pg_advisory_unlock(0)')
    return done
  },
  version: (options) => retried(() => transaction(options.query, 'BEGIN', () => versioned(options))),
  'version of one row': (options) => retried(() => versioned(options)),
}

export function guarded(guard: PostgresGuard, options: Options): Promise<Done> {
  return GUARDS[guard](options)
}

export async function retried<Value>(once: () => Promise<Value>): Promise<Value> {
  for (;;) {
    try {
      return await once()
    } catch (error) {
      if (!RETRIED.has((error as { code: string }).code)) throw error
      await sleep(1)
    }
  }
}

export async function transaction<Value>(query: Query, begin: string, body: () => Promise<Value>): Promise<Value> {
  for (const statement of begin.split('; ')) await query(statement)
  try {
    const value = await body()
    await query('COMMIT')
    return value
  } catch (error) {
    await query('ROLLBACK')
    throw error
  }
}

function isolated(options: Options, level: string): Promise<Done> {
  const once = () => readAndWrite(options, read(options))
  return retried(() => transaction(options.query, `BEGIN ISOLATION LEVEL ${level}`, once))
}

function locked(options: Options, clause: string, begin = 'BEGIN', rows = rowsOf(options.work)): Promise<Done> {
  return retried(() => transaction(options.query, begin, () => readAndWrite(options, read(options, clause, rows))))
}

/** Takes locks of the session, in order. */
async function advised(options: Options, keys: readonly number[]): Promise<Done> {
  for (const key of keys) await options.query('SELECT pg_advisory_lock($1)', [key])
  const section = keys[0] === 0 ? options.section : { inside: 0 }
  const done = await alone(section, () => readAndWrite(options, read(options)))
  for (const key of keys) await options.query('SELECT pg_advisory_unlock($1)', [key])
  return done
}

async function alone<Value>(section: Section, action: () => Promise<Value>): Promise<Value> {
  assert.equal(++section.inside, 1, 'two sessions are in the section of one')
  const value = await action()
  section.inside--
  return value
}

async function read(
  { query, work, together }: Options,
  clause = 'ORDER BY id',
  rows = rowsOf(work),
): Promise<Balances> {
  const read = new Map<number, number>()
  for (const ids of together ? [rows] : rows.map((row) => [row])) {
    const places = ids.map((_, index) => `$${index + 1}`).join(', ')
    const found = await query(`SELECT id, balance FROM accounts WHERE id IN (${places}) ${clause}`, ids)
    for (const { id, balance } of found.rows) read.set(id!, balance!)
  }
  return read
}

/** Writes balances that follow from what was read, as they are. */
async function readAndWrite({ query, work }: Options, reading: Promise<Balances>): Promise<Done> {
  const read = await reading
  const deltas = deltasOf(work, read)
  for (const [row, delta] of deltas)
    await query('UPDATE accounts SET balance = $2 WHERE id = $1', [row, read.get(row)! + delta])
  return { read, deltas }
}

/** Writes all that was read, unless its version is another one by now. */
async function versioned({ query, work }: Options): Promise<Done> {
  const read = new Map<number, number>()
  const versions = new Map<number, number>()
  for (const row of rowsOf(work)) {
    const { rows } = await query('SELECT balance, version FROM accounts WHERE id = $1', [row])
    read.set(row, rows[0]!.balance!)
    versions.set(row, rows[0]!.version!)
  }
  const deltas = deltasOf(work, read)
  for (const [row, version] of versions) {
    const { count } = await query(
      'UPDATE accounts SET balance = $2, version = version + 1 WHERE id = $1 AND version = $3',
      [row, read.get(row)! + (deltas.get(row) ?? 0), version],
    )
    if (count === 0) throw Object.assign(new Error('it has another version'), { code: 'version' })
  }
  return { read, deltas }
}
