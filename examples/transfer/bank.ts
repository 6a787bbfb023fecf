/** A bank over HTTP, with its accounts in PostgreSQL. */
import express, { type Express } from 'express'
import type { Pool, PoolClient } from 'pg'

interface Options {
  /** Takes the lock of the account when its balance is read. */
  readonly locks?: boolean
  /** The isolation of withdrawals, and how often one is tried again that could not be serialized. */
  readonly isolation?: 'REPEATABLE READ' | 'SERIALIZABLE'
  readonly retries?: number
}

export function bank(pool: Pool, { locks = false, isolation = 'REPEATABLE READ', retries = 0 }: Options = {}): Express {
  const app = express()

  // Moves money from one account to another.
  app.post('/transfers/:from/:to/:amount', async ({ params: { from, to, amount } }, response) => {
    const isDone = await transaction(pool, 'BEGIN', async (client) => {
      const read = `SELECT balance FROM accounts WHERE name = $1 ${locks ? 'FOR UPDATE' : ''}`
      const { balance } = (await client.query(read, [from])).rows[0]
      if (balance < Number(amount)) return false
      await client.query('UPDATE accounts SET balance = $2 WHERE name = $1', [from, balance - Number(amount)])
      await client.query('UPDATE accounts SET balance = balance + $2 WHERE name = $1', [to, amount])
      return true
    })
    response.status(isDone ? 200 : 409).end()
  })

  // Takes money from an account, if all accounts of its owner together have it.
  app.post('/withdrawals/:name/:amount', async ({ params: { name, amount } }, response) => {
    const withdraw = () =>
      transaction(pool, `BEGIN ISOLATION LEVEL ${isolation}`, async (client) => {
        const all =
          'SELECT sum(balance)::int AS total FROM accounts WHERE owner = (SELECT owner FROM accounts WHERE name = $1)'
        const { total } = (await client.query(all, [name])).rows[0]
        if (total < Number(amount)) return false
        await client.query('UPDATE accounts SET balance = balance - $2 WHERE name = $1', [name, amount])
        return true
      })
    const isDone = await withRetries(withdraw, retries)
    response.status(isDone ? 200 : 409).end()
  })

  return app
}

async function transaction<Result>(
  pool: Pool,
  begin: string,
  work: (client: PoolClient) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect()
  try {
    await client.query(begin)
    const result = await work(client)
    await client.query('COMMIT')
    return result
  } catch (error) {
    await client.query('ROLLBACK')
    throw error
  } finally {
    client.release()
  }
}

const COULD_NOT_SERIALIZE = '40001'

async function withRetries<Result>(work: () => Promise<Result>, retries: number): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if ((error as { code?: string }).code !== COULD_NOT_SERIALIZE || retries === 0) throw error
    return withRetries(work, retries - 1)
  }
}
