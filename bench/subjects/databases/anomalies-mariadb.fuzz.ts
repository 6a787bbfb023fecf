/** Hermitage's anomalies on MariaDB. */
import mysql from 'mysql2/promise'
import { type Level, SERVERS } from './documented.ts'
import { declareAnomalies, type Query, type Row, type Session } from './observations.ts'

class MariadbSession implements Session {
  #client: mysql.Connection | undefined
  readonly #level: Level

  constructor(level: Level) {
    this.#level = level
  }

  async connect(): Promise<void> {
    this.#client = await mysql.createConnection(process.env.DATABASE_URL!)
  }

  async end(): Promise<void> {
    await this.#client?.end()
  }

  async transact<Result>(body: (query: Query) => Promise<Result>): Promise<Result | undefined> {
    const query: Query = async (sql) => {
      const [result] = await this.#client!.query<mysql.RowDataPacket[] | mysql.ResultSetHeader>(sql)
      return Array.isArray(result)
        ? { rows: result as unknown as Row[], rowCount: null }
        : { rows: [], rowCount: result.affectedRows }
    }
    if (this.#level === 'no transaction') return body(query)
    await query(`set transaction isolation level ${this.#level}`)
    await query('start transaction')
    try {
      const result = await body(query)
      await query('commit')
      return result
    } catch (error) {
      await query('rollback')
      if ((error as { code?: string }).code !== 'ER_LOCK_DEADLOCK') throw error
      return undefined
    }
  }

  async values(): Promise<readonly number[]> {
    const [rows] = await this.#client!.query<mysql.RowDataPacket[]>('select * from test order by id')
    return rows.map(({ value }) => value)
  }
}

declareAnomalies(SERVERS.mariadb.levels, (level) => new MariadbSession(level))
