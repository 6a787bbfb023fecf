/** Hermitage's anomalies on PostgreSQL. */
import pg from 'pg'
import { type Level, SERVERS } from './documented.ts'
import { declareAnomalies, type Query, type Row, type Session } from './observations.ts'

class PostgresSession implements Session {
  readonly #client = new pg.Client({ connectionString: process.env.DATABASE_URL })
  readonly #level: Level

  constructor(level: Level) {
    this.#level = level
  }

  async connect(): Promise<void> {
    await this.#client.connect()
  }

  async end(): Promise<void> {
    await this.#client.end()
  }

  async transact<Result>(body: (query: Query) => Promise<Result>): Promise<Result | undefined> {
    const query: Query = (sql) => this.#client.query<Row>(sql)
    if (this.#level === 'no transaction') return body(query)
    await query(`begin isolation level ${this.#level}`)
    try {
      const result = await body(query)
      await query('commit')
      return result
    } catch (error) {
      await query('rollback')
      if (!UNDONE.has((error as { code?: string }).code ?? '')) throw error
      return undefined
    }
  }

  async values(): Promise<readonly number[]> {
    const { rows } = await this.#client.query<Row>('select * from test order by id')
    return rows.map(({ value }) => value)
  }
}

/** No way to serialize it; a deadlock. */
const UNDONE = new Set(['40001', '40P01'])

declareAnomalies(SERVERS.postgres.levels, (level) => new PostgresSession(level))
