/** Makes what pg-boss and graphile-worker keep in a database. */
import { runMigrations } from 'graphile-worker'
import pg from 'pg'
import { PgBoss } from 'pg-boss'

const connectionString = process.env.DATABASE_URL
const boss = new PgBoss({ connectionString, supervise: false, schedule: false })
await boss.start()
for (const policy of ['standard', 'short', 'singleton', 'exclusive', 'key_strict_fifo'])
  await boss.createQueue(policy, { policy, retryLimit: 1 })
await boss.stop({ graceful: false })

const pgPool = new pg.Pool({ connectionString })
await runMigrations({ pgPool })
await pgPool.end()
