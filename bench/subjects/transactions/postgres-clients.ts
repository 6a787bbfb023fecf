/** Clients of PostgreSQL: each lends connections, on which statements run. */
import pg from 'pg'
import postgresJs from 'postgres'
import type { PostgresClient } from '../../databases/transactions/program.ts'

export interface Result {
  readonly rows: readonly Record<string, number>[]
  readonly count: number
}

export type Query = (sql: string, values?: readonly number[]) => Promise<Result>

/** Lends a connection to an action. */
export type Lend = <Value>(action: (query: Query) => Promise<Value>) => Promise<Value>

export interface Lender {
  /** A session begins. */
  session(): Promise<Lend>
  end(): Promise<void>
}

const MAKE: Readonly<Record<PostgresClient, () => Lender>> = {
  client: () => clients(false),
  prepared: () => clients(true),
  pool: () => pool(10),
  'pool of one': () => pool(1),
  'postgres.js': () => {
    const sql = postgresJs(process.env.DATABASE_URL!, { max: 10 })
    const lend: Lend = async (action) => {
      const reserved = await sql.reserve()
      try {
        return await action(async (text, values = []) => {
          const rows = await reserved.unsafe(text, [...values])
          return { rows, count: rows.count }
        })
      } finally {
        reserved.release()
      }
    }
    return { session: async () => lend, end: () => sql.end() }
  },
}

export function lenderOf(client: PostgresClient): Lender {
  return MAKE[client]()
}

/** A connection for each session. */
function clients(isPrepared: boolean): Lender {
  const all: pg.Client[] = []
  return {
    async session() {
      const client = new pg.Client({ connectionString: process.env.DATABASE_URL })
      all.push(client)
      await client.connect()
      return (action) => action(queryOf(client, isPrepared))
    },
    async end() {
      await Promise.all(all.map((client) => client.end()))
    },
  }
}

function pool(max: number): Lender {
  const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max })
  return {
    session: async () => async (action) => {
      const client = await pool.connect()
      try {
        return await action(queryOf(client, false))
      } finally {
        client.release()
      }
    },
    end: () => pool.end(),
  }
}

function queryOf(client: pg.ClientBase, isPrepared: boolean): Query {
  return async (text, values = []) => {
    const name = isPrepared && values.length > 0 ? { name: text.slice(0, 60) } : {}
    const { rows, rowCount } = await client.query({ text, values: [...values], ...name })
    return { rows, count: rowCount ?? 0 }
  }
}
