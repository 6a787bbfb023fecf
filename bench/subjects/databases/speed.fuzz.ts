/** Two sessions of three statements each; see ../../databases/speed.ts. */
import { Redis } from 'ioredis'
import mysql from 'mysql2/promise'
import { fuzz } from 'norn'
import pg from 'pg'
import { COMMANDS, MARIADB_STATEMENTS, STATEMENTS } from './statements.ts'

fuzz('PostgreSQL', {}, async () => {
  await Promise.all(
    [1, 2].map(async (id) => {
      const client = new pg.Client({ connectionString: process.env.DATABASE_URL })
      await client.connect()
      for (const statement of STATEMENTS) await client.query(statement, [id])
      await client.end()
    }),
  )
})

fuzz('MariaDB', {}, async () => {
  await Promise.all(
    [1, 2].map(async (id) => {
      const client = await mysql.createConnection(process.env.MARIADB_URL!)
      for (const statement of MARIADB_STATEMENTS) await client.query(statement, [id])
      await client.end()
    }),
  )
})

fuzz('Redis', {}, async () => {
  await Promise.all(
    [1, 2].map(async (id) => {
      const client = new Redis(process.env.REDIS_URL!, { enableReadyCheck: false })
      for (const command of COMMANDS) await client.call(command, `key ${id}`)
      client.disconnect()
    }),
  )
})
