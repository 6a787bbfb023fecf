/**
 * What clients see of a server, as the message of an error: what a replay has to say again. Each property shows
 * something that the server decides, or that only time ends; see ../../databases/traces.ts.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { fuzz } from 'norn'
import pg from 'pg'
import { TRACES, type Trace } from './traced.ts'

type Say = (text: string) => void
type Query = (sql: string) => Promise<void>

/** Sessions at once; each says what its client sees. */
const POSTGRES: Readonly<
  Record<Extract<Trace, `PostgreSQL: ${string}`>, readonly ((query: Query) => Promise<void>)[]>
> = {
  'PostgreSQL: deadlock': [1, 2, 3].map((first) => async (query) => {
    await query('BEGIN')
    await query(`UPDATE test SET value = value + ${first} WHERE id = ${first > 1 ? 2 : 1}`)
    await query(`UPDATE test SET value = value * ${first} WHERE id = ${first > 1 ? 1 : 2}`)
    await query('COMMIT')
    await query('SELECT * FROM test ORDER BY id')
  }),
  'PostgreSQL: notification': [
    async (query) => {
      await query('LISTEN news')
      await sleep(20)
    },
    ...[1, 2].map((id) => async (query: Query) => {
      await query('BEGIN')
      await query(`NOTIFY news, 'by ${id}'`)
      await query(`UPDATE test SET value = ${id} WHERE id = 1`)
      await query(id === 1 ? 'COMMIT' : `SELECT pg_notify('news', value::text) FROM test`)
      await query('COMMIT')
    }),
  ],
  'PostgreSQL: timeouts': [
    async (query) => {
      await query('BEGIN')
      await query('UPDATE test SET value = 0')
      await query('SELECT pg_sleep(0.005)')
      await query('COMMIT')
    },
    async (query) => {
      await query(`SET lock_timeout = '2ms'`)
      await query('UPDATE test SET value = 1 WHERE id = 1')
    },
    async (query) => {
      await query(`SET statement_timeout = '3ms'`)
      await query('UPDATE test SET value = 2 WHERE id = 2')
    },
  ],
  'PostgreSQL: conflict': [1, 2].map((id) => async (query) => {
    await query('BEGIN ISOLATION LEVEL SERIALIZABLE')
    await query('SELECT sum(value) FROM test')
    await query(`INSERT INTO test VALUES (${id + 2}, ${id})`)
    await query('COMMIT')
  }),
  'PostgreSQL: values': [1, 2].map(() => async (query) => {
    await query('SELECT pg_advisory_lock(1)')
    await query('SELECT now()::text, clock_timestamp()::text, random(), gen_random_uuid()')
    await query('SELECT pg_advisory_unlock(1)')
  }),
}

type Command = (name: string, ...parts: readonly (string | number)[]) => Promise<void>

const REDIS: Readonly<Record<Extract<Trace, `Redis: ${string}`>, readonly ((command: Command) => Promise<void>)[]>> = {
  'Redis: blocking pop': [
    ...[1, 2, 3].map(() => (command: Command) => command('BLPOP', 'jobs', 0.01)),
    async (command) => {
      await command('RPUSH', 'jobs', 'one')
      await command('RPUSH', 'jobs', 'two')
    },
  ],
  'Redis: expiry': [
    (command) => command('SET', 'lease', 'first', 'NX', 'PX', 3),
    ...[2, 3].map((ms) => async (command: Command) => {
      await sleep(ms)
      await command('SET', 'lease', `after ${ms}`, 'NX', 'PX', 3)
      await command('PTTL', 'lease')
      await command('GET', 'lease')
    }),
  ],
  'Redis: watch': [1, 2].map((id) => async (command) => {
    await command('WATCH', 'stock')
    await command('GET', 'stock')
    await command('MULTI')
    await command('SET', 'stock', id)
    await command('EXEC')
  }),
  'Redis: subscription': [
    async (command) => {
      await command('SUBSCRIBE', 'news')
      await sleep(10)
    },
    ...[1, 2].map((id) => async (command: Command) => {
      await command('PUBLISH', 'news', `by ${id}`)
      await command('PUBLISH', 'news', `again by ${id}`)
    }),
  ],
  'Redis: script': [1, 2].map(() => async (command) => {
    await command(
      'EVAL',
      `redis.call('RPUSH', 'log', redis.call('TIME')[2]) return redis.call('LRANGE', 'log', 0, -1)`,
      0,
    )
    await command('XADD', 'stream', '*', 'field', 'value')
    await command('XRANGE', 'stream', '-', '+')
  }),
}

for (const name of TRACES)
  fuzz(name, {}, async () => {
    const said: string[] = []
    if (name in POSTGRES) await onPostgres(POSTGRES[name as keyof typeof POSTGRES], (text) => said.push(text))
    else await onRedis(REDIS[name as keyof typeof REDIS], (text) => said.push(text))
    throw new Error(said.join('\n'))
  })

async function onPostgres(sessions: readonly ((query: Query) => Promise<void>)[], say: Say): Promise<void> {
  await Promise.all(
    sessions.map(async (session, index) => {
      const client = new pg.Client({ connectionString: process.env.DATABASE_URL })
      client.on('notification', ({ channel, payload }) => say(`${index}: ${channel} has ${payload}`))
      await client.connect()
      await session(async (sql) => {
        try {
          say(`${index}: ${JSON.stringify((await client.query(sql)).rows)}`)
        } catch (error) {
          say(`${index}: ${(error as { code: string }).code} ${(error as Error).message}`)
        }
      })
      await client.end()
    }),
  )
}

async function onRedis(sessions: readonly ((command: Command) => Promise<void>)[], say: Say): Promise<void> {
  await Promise.all(
    sessions.map(async (session, index) => {
      const client = new Redis(process.env.REDIS_URL!)
      client.on('message', (channel, text) => say(`${index}: ${channel} has ${text}`))
      await session(async (name, ...parts) => say(`${index}: ${JSON.stringify(await client.call(name, ...parts))}`))
      client.disconnect()
    }),
  )
}
