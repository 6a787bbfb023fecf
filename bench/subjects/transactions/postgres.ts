/** Programs on PostgreSQL: runs their sessions at once, and checks what has to hold. */
import assert from 'node:assert/strict'
import type { AccountsProgram, Claim, ClaimsProgram, JobsProgram } from '../../databases/transactions/program.ts'
import { checkAccounts, checkJobs, type Done } from './invariants.ts'
import { type Lender, lenderOf, type Query } from './postgres-clients.ts'
import { guarded, retried, type Section, transaction } from './postgres-guards.ts'

export async function accounts(program: AccountsProgram & { readonly server: 'postgres' }): Promise<void> {
  const section: Section = { inside: 0 }
  const done: Done[] = []
  await lending(program, async (lender) => {
    await Promise.all(
      program.sessions.map(async (all) => {
        const lend = await lender.session()
        for (const work of all)
          done.push(await lend((query) => guarded(program.guard, { query, work, together: program.together, section })))
      }),
    )
    const { rows } = await (await lender.session())((query) => query('SELECT id, balance FROM accounts'))
    checkAccounts(program, done, new Map(rows.map(({ id, balance }) => [id!, balance!])))
  })
}

export async function claims(program: ClaimsProgram): Promise<void> {
  const winners: [key: number, owner: number][] = []
  await lending(program, async (lender) => {
    await Promise.all(
      program.sessions.map(async (keys, owner) => {
        const lend = await lender.session()
        for (const key of await lend((query) => CLAIM[program.claim](query, keys, owner))) winners.push([key, owner])
      }),
    )
    const { rows } = await (await lender.session())((query) => query('SELECT key, owner FROM claims'))
    const held = rows.map(({ key, owner }) => [key, owner]).sort()
    const wanted = [...new Set(program.sessions.flat())].sort()
    const count = (key: number) => program.sessions.flat().filter((each) => each === key).length
    if (program.claim === 'upsert') assert.deepEqual(held, wanted.map((key) => [key, count(key)]).sort())
    else {
      assert.deepEqual(held, winners.sort())
      assert.deepEqual(held.map(([key]) => key).sort(), wanted)
    }
  })
}

export async function jobs(program: JobsProgram & { readonly server: 'postgres' }): Promise<void> {
  const done: number[] = []
  await lending(program, (lender) =>
    Promise.all(
      Array.from({ length: program.workers }, async (_, worker) => {
        const lend = await lender.session()
        for (;;) {
          const job = await lend((query) => transaction(query, 'BEGIN', () => nextJob(query, worker)))
          if (job === undefined) return
          done.push(job)
        }
      }),
    ),
  )
  checkJobs(done)
}

async function nextJob(query: Query, worker: number): Promise<number | undefined> {
  const next = 'SELECT id FROM jobs WHERE worker IS NULL ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED'
  const id = (await query(next)).rows[0]?.id
  if (id !== undefined) await query('UPDATE jobs SET worker = $2 WHERE id = $1', [id, worker])
  return id
}

async function lending(
  program: { readonly client: Parameters<typeof lenderOf>[0] },
  action: (lender: Lender) => Promise<unknown>,
): Promise<void> {
  const lender = lenderOf(program.client)
  await action(lender)
  await lender.end()
}

const INSERT = 'INSERT INTO claims VALUES ($1, $2)'
const NOTHING = `${INSERT} ON CONFLICT DO NOTHING`
const IS_THERE = '23505'

/** The keys that a session has then. */
const CLAIM: Readonly<Record<Claim, (query: Query, keys: readonly number[], owner: number) => Promise<number[]>>> = {
  insert: (query, keys, owner) => each(keys, (key) => inserted(() => query(INSERT, [key, owner]))),
  'insert with savepoints': (query, keys, owner) =>
    retried(() =>
      transaction(query, 'BEGIN', () =>
        each(keys, async (key) => {
          await query('SAVEPOINT before')
          const isMine = await inserted(() => query(INSERT, [key, owner]))
          if (!isMine) await query('ROLLBACK TO before')
          return isMine
        }),
      ),
    ),
  'do nothing': (query, keys, owner) => each(keys, async (key) => (await query(NOTHING, [key, owner])).count === 1),
  'do nothing in a transaction': (query, keys, owner) =>
    retried(() =>
      transaction(query, 'BEGIN ISOLATION LEVEL REPEATABLE READ', () =>
        each(keys, async (key) => (await query(NOTHING, [key, owner])).count === 1),
      ),
    ),
  upsert: (query, keys) =>
    each(keys, async (key) => {
      await query(`INSERT INTO claims VALUES ($1, 1) ON CONFLICT (key) DO UPDATE SET owner = claims.owner + 1`, [key])
      return true
    }),
}

async function each(keys: readonly number[], isMine: (key: number) => Promise<boolean>): Promise<number[]> {
  const mine: number[] = []
  for (const key of keys) if (await isMine(key)) mine.push(key)
  return mine
}

async function inserted(insert: () => Promise<unknown>): Promise<boolean> {
  try {
    await insert()
    return true
  } catch (error) {
    if ((error as { code: string }).code !== IS_THERE) throw error
    return false
  }
}
