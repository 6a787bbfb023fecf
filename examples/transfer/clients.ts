/** Clients of the bank: each execution serves it, sends requests at once, and looks at what is left. */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { Pool } from 'pg'
import { bank } from './bank.ts'

type Options = Parameters<typeof bank>[1]

interface Account {
  readonly name: string
  readonly owner: string
  readonly balance: number
}

interface Outcome {
  /** Of the answers. */
  readonly statuses: readonly number[]
  readonly accounts: readonly Account[]
}

/** Posts to paths of the bank, all at once. */
export async function posted(options: Options, ...paths: readonly string[]): Promise<Outcome> {
  const pool = new Pool({ connectionString: process.env.DATABASE_URL })
  const server = bank(pool, options).listen(0)
  try {
    await once(server, 'listening')
    const at = `http://localhost:${(server.address() as AddressInfo).port}`
    const answers = await Promise.all(paths.map((path) => fetch(`${at}/${path}`, { method: 'POST' })))
    const { rows } = await pool.query<Account>('SELECT name, owner, balance FROM accounts')
    return { statuses: answers.map(({ status }) => status), accounts: rows }
  } finally {
    server.close()
    await pool.end()
  }
}

export function sum(accounts: readonly Account[]): number {
  return accounts.reduce((total, { balance }) => total + balance, 0)
}
