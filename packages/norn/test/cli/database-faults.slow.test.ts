/** What databases do to programs by the option `faults`: refuse, restart, fail over. */
import { symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { isSkipped as lacksMariadb } from '../../../../systems/mariadb/server.ts'
import { isSkipped as lacksPostgres } from '../../../../systems/postgres/server.ts'
import { isSkipped as lacksRedis } from '../../../../systems/redis/server.ts'
import { project } from './project.ts'

const SCHEMA =
  "CREATE TABLE accounts (name varchar(10) PRIMARY KEY, balance int);\nINSERT INTO accounts VALUES ('ada', 100);\n"

/** Calls norn on properties; tells of each, by its name, whether it passed, or else its output. */
async function found(properties: string, ...flags: readonly string[]) {
  const here = project({ 'schema.sql': SCHEMA, 'faults.fuzz.ts': properties })
  symlinkSync(resolve(import.meta.dirname, '../../../../node_modules'), join(here.root, 'node_modules'))
  const { stdout, stderr } = await here.norn('fuzz', 'faults.fuzz.ts', '--seed', '1', '--runs', '150', ...flags)
  const parts = stdout.split(/^(?=[✓✗] )/m).filter((part) => /^[✓✗]/.test(part))
  const verdicts = Object.fromEntries(
    parts.map((part) => [
      /^. ([^:\n]*)/.exec(part)![1]!,
      part.startsWith('✓') ? (/! .*/.exec(part)?.[0] ?? 'passed') : part,
    ]),
  )
  return { here, verdicts, stderr }
}

const POSTGRES = `import { fuzz } from 'norn'
import pg from 'pg'

const UPDATE = "UPDATE accounts SET balance = balance + 10 WHERE name = 'ada'"
const opened = async (more = {}) => {
  const client = new pg.Client({ connectionString: process.env.DATABASE_URL, ...more })
  client.on('error', () => {})
  await client.connect()
  return client
}
/** With nothing that could fail. */
const balance = async () => {
  for (;;) {
    try {
      const client = await opened()
      const { rows } = await client.query("SELECT balance FROM accounts WHERE name = 'ada'")
      await client.end()
      return rows[0].balance
    } catch {}
  }
}
const errors = { faults: { databaseErrors: 1 } }

fuzz('a connection', {}, async () => (await opened()).end(), errors)
fuzz('serializable', {}, async () => {
  const client = await opened().catch(() => process.exit(0))
  await client.query('BEGIN ISOLATION LEVEL SERIALIZABLE')
  await client.query(UPDATE)
  await client.query('COMMIT')
  await client.end()
}, errors)
fuzz('read committed', {}, async () => {
  let client
  try { client = await opened() } catch (error) { if (error.code === '53300') return; throw error }
  for (const sql of ['BEGIN', UPDATE, 'SELECT 1', 'COMMIT']) await client.query(sql)
  await client.end()
}, errors)
fuzz('out of time', {}, async () => {
  const client = await opened({ statement_timeout: 3000 }).catch(() => undefined)
  if (client === undefined) return
  const began = Date.now()
  const error = await client.query(UPDATE).then(() => undefined, (error) => error)
  if (error?.code === '57014') throw new Error(Date.now() - began >= 3000 ? 'in time' : 'too early')
  await client.end()
}, errors)
fuzz('no idle transaction while a statement runs out of time', {}, async () => {
  const client = await opened({ statement_timeout: 3000, idle_in_transaction_session_timeout: 1000 }).catch(() => undefined)
  if (client === undefined) return
  await client.query('BEGIN')
  const error = await client.query(UPDATE).then(() => undefined, (error) => error)
  if (error !== undefined && error.code !== '57014') throw error
  await client.query('ROLLBACK')
  await client.end()
}, errors)
fuzz('what is refused is undone', {}, async () => {
  const client = await opened().catch(() => undefined)
  if (client === undefined) return
  let failed
  for (const [at, sql] of ['BEGIN ISOLATION LEVEL SERIALIZABLE', UPDATE, UPDATE, 'COMMIT'].entries()) {
    const { code, command } = await client.query(sql).catch((error) => error)
    if (failed === undefined && code === '40001') failed = at
    else if (failed !== undefined && at < 3 && code !== '25P02') throw new Error(sql + ' after an error: ' + code)
    else if (failed !== undefined && at === 3 && command !== 'ROLLBACK') throw new Error('committed: ' + command)
  }
  const { rows } = await client.query("SELECT balance FROM accounts")
  await client.end()
  if (rows[0].balance !== (failed === undefined ? 120 : 100)) throw new Error('balance ' + rows[0].balance)
}, errors)
const deposits = async () => {
  let acknowledged = 0
  try {
    const client = await opened()
    for (let at = 0; at < 3; at++) {
      await client.query('BEGIN')
      await client.query(UPDATE)
      await client.query('COMMIT')
      acknowledged++
    }
    await client.end()
  } catch {}
  return [acknowledged, (await balance() - 100) / 10]
}
fuzz('committed before a restart', {}, async () => {
  const [acknowledged, done] = await deposits()
  if (done !== acknowledged && done !== acknowledged + 1) throw new Error(acknowledged + ' acknowledged, ' + done + ' done')
}, { faults: { databaseRestarts: 2 } })
fuzz('acknowledged before a restart', {}, async () => {
  const [acknowledged, done] = await deposits()
  if (done !== acknowledged) throw new Error(acknowledged + ' acknowledged, ' + done + ' done')
}, { faults: { databaseRestarts: 1 } })
fuzz('a state that there was', {}, async () => {
  const [acknowledged, done] = await deposits()
  if (!Number.isInteger(done) || done > acknowledged + 1) throw new Error(acknowledged + ' acknowledged, ' + done + ' done')
}, { faults: { databaseFailovers: 2 } })
fuzz('committed before a failover', {}, async () => {
  const [acknowledged, done] = await deposits()
  if (done < acknowledged) throw new Error(acknowledged + ' acknowledged, ' + done + ' done')
}, { faults: { databaseFailovers: 1 } })
`

describe.skipIf(lacksPostgres)('a PostgreSQL', () => {
  it('refuses, restarts and fails over as one may: found, and replayed exactly', async () => {
    const { here, verdicts } = await found(POSTGRES, '--postgres', 'schema.sql')
    expect(verdicts).toEqual({
      'a connection': expect.stringContaining('sorry, too many clients already'),
      serializable: expect.stringContaining('could not serialize access'),
      'read committed': 'passed',
      'out of time': expect.stringContaining('Error: in time'),
      'no idle transaction while a statement runs out of time': 'passed',
      'what is refused is undone': 'passed',
      'committed before a restart': 'passed',
      'acknowledged before a restart': expect.stringMatching(/injected: restarts behind COMMIT/),
      'a state that there was': 'passed',
      'committed before a failover': expect.stringMatching(/injected: fails over without/),
    })
    const failures = here.failures().filter((name) => name.endsWith('.json'))
    expect(failures).toHaveLength(5)
    for (const failure of failures) {
      const { status, stdout } = await here.norn('replay', failure, '--postgres', 'schema.sql')
      expect([status, stdout]).toEqual([1, expect.stringContaining('the same trace')])
    }
  })
})

const MARIADB = `import { fuzz } from 'norn'
import mysql from 'mysql2/promise'

const UPDATE = "UPDATE accounts SET balance = balance + 10 WHERE name = 'ada'"
const opened = () => mysql.createConnection(process.env.DATABASE_URL)
const errors = { faults: { databaseErrors: 1 } }

fuzz('a connection', {}, async () => (await opened()).end(), errors)
fuzz('a deadlock undoes all', {}, async () => {
  const client = await opened().catch(() => undefined)
  if (client === undefined) return
  let seen
  await client.beginTransaction()
  for (let at = 0; at < 2; at++)
    await client.query(UPDATE).catch(({ code, sqlState }) => {
      seen = [code, sqlState, at].join()
    })
  await client.commit()
  const [[{ balance }]] = await client.query('SELECT balance FROM accounts')
  await client.end()
  const expected = { undefined: 120, 'ER_LOCK_DEADLOCK,40001,0': 110, 'ER_LOCK_DEADLOCK,40001,1': 100 }[seen]
  if (balance !== expected) throw new Error(seen + ': ' + balance)
}, errors)
fuzz('a deadlock', {}, async () => {
  const client = await opened().catch(() => undefined)
  await client?.execute(UPDATE)
  await client?.end()
}, errors)
fuzz('acknowledged before a restart', {}, async () => {
  const did = await opened().then((client) => client.query(UPDATE)).then(() => true, () => false)
  for (;;)
    try {
      const client = await opened()
      const [[{ balance }]] = await client.query('SELECT balance FROM accounts')
      await client.end()
      if (did !== (balance === 110)) throw Object.assign(new Error(did + ': ' + balance), { isFinal: true })
      return
    } catch (error) {
      if (error.isFinal) throw error
    }
}, { faults: { databaseRestarts: 1 } })
`

describe.skipIf(lacksMariadb)('a MariaDB', () => {
  it('refuses and restarts', async () => {
    const { verdicts } = await found(MARIADB, '--mariadb', 'schema.sql')
    expect(verdicts).toEqual({
      'a connection': expect.stringContaining('Too many connections'),
      'a deadlock undoes all': 'passed',
      'a deadlock': expect.stringContaining('Deadlock found when trying to get lock'),
      'acknowledged before a restart': expect.stringContaining('restarts behind UPDATE'),
    })
  })
})

const REDIS = `import { fuzz } from 'norn'
import { connect } from 'node:net'
import { Redis } from 'ioredis'

const opened = () => {
  const quiet = { enableReadyCheck: false, disableClientInfo: true, protocol: 2 }
  const redis = new Redis(process.env.REDIS_URL, { ...quiet, retryStrategy: () => 10, maxRetriesPerRequest: null })
  redis.on('error', () => {})
  return redis
}
fuzz('a connection', {}, async () => {
  const socket = connect(6379, '127.0.0.1')
  socket.write('PING\\r\\n')
  let said = ''
  for await (const chunk of socket) {
    said += chunk
    if (said === '+PONG\\r\\n') socket.end()
  }
  if (!said.startsWith('+')) throw new Error(said)
}, { faults: { databaseErrors: 1 } })
const counted = async (pauseMs) => {
  const redis = opened()
  let last = 0
  for (let at = 1; at <= 3; at++) {
    await redis.set('n', at)
    last = at
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
  }
  const n = Number(await redis.get('n'))
  redis.disconnect()
  return n
}
fuzz('the last second', {}, async () => {
  const n = await counted(10)
  if (n !== 3) throw new Error('lost: ' + n)
}, { faults: { databaseRestarts: 1 } })
fuzz('no more than the last second', {}, async () => {
  const n = await counted(1100)
  if (n !== 3) throw new Error('lost: ' + n)
}, { faults: { databaseRestarts: 1 } })
fuzz('its scripts', {}, async () => {
  const redis = opened()
  const sha = await redis.script('LOAD', 'return 1')
  await redis.ping()
  await redis.evalsha(sha, 0)
  redis.disconnect()
}, { faults: { databaseRestarts: 1 } })
`

describe.skipIf(lacksRedis)('a Redis', () => {
  it('refuses, and loses its last second and its scripts', async () => {
    const { verdicts } = await found(REDIS, '--redis')
    expect(verdicts).toEqual({
      'a connection': expect.stringMatching(/injected: ERR max number of clients reached(?!:)/),
      'the last second': expect.stringMatching(/restarts without/),
      'no more than the last second': 'passed',
      'its scripts': expect.stringContaining('NOSCRIPT'),
    })
  })
})
