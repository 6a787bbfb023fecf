/** Real servers that take part in executions: `databases` of a configuration, `--postgres` and `--redis`. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { isSkipped } from '../../../../systems/postgres/server.ts'
import { isSkipped as lacksRedis } from '../../../../systems/redis/server.ts'
import type { PostgresTarget } from '../../src/contract/database.ts'
import { findProgram } from '../../src/devices/servers/machine.ts'
import { startDatabases } from '../../src/devices/servers/start.ts'
import { ended, type Project, project, start } from './project.ts'

const SCHEMA = `CREATE TABLE accounts (name text PRIMARY KEY, balance integer NOT NULL);
INSERT INTO accounts VALUES ('ada', 100), ('bob', 100);
`

const transfers = (lock: string) => `import { fuzz } from 'norn'
import pg from 'pg'

async function transfer(pool, amount) {
  const client = await pool.connect()
  try {
    await client.query('BEGIN')
    const read = "SELECT balance FROM accounts WHERE name = 'ada' ${lock}"
    const { balance } = (await client.query(read)).rows[0]
    await client.query("UPDATE accounts SET balance = $1 WHERE name = 'ada'", [balance - amount])
    await client.query("UPDATE accounts SET balance = balance + $1 WHERE name = 'bob'", [amount])
    await client.query('COMMIT')
  } finally {
    client.release()
  }
}

fuzz('the sum stays', {}, async () => {
  const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL })
  await Promise.all([transfer(pool, 60), transfer(pool, 30)])
  const { total } = (await pool.query('SELECT sum(balance)::int AS total FROM accounts')).rows[0]
  await pool.end()
  if (total !== 200) throw new Error('the sum is ' + total)
})
`

const CONFIGURATION = `import { defineConfig, postgres } from 'norn'
export default defineConfig({ databases: { main: postgres({ schema: 'schema.sql' }) } })
`

function bank(): Project {
  const here = project({
    'schema.sql': SCHEMA,
    'lost.fuzz.ts': transfers(''),
    'locked.fuzz.ts': transfers('FOR UPDATE'),
    'norn.config.ts': CONFIGURATION,
  })
  symlinkSync(resolve(import.meta.dirname, '../../../../node_modules'), join(here.root, 'node_modules'))
  return here
}

/** The folders of servers that norn has started. */
const folders = () =>
  ['/dev/shm', tmpdir()].flatMap((folder) =>
    existsSync(folder)
      ? readdirSync(folder)
          .filter((name) => name.startsWith('norn-databases-'))
          .map((name) => join(folder, name))
      : [],
  )

const psql = (folder: string, database: string, statement: string) =>
  spawnSync(findProgram('psql')!, ['-XAt', '-h', folder, '-U', 'postgres', '-d', database, '-c', statement], {
    encoding: 'utf8',
  }).stdout

/** The contents of all files that norn keeps for a project. */
const keptTexts = ({ root }: Project) =>
  readdirSync(join(root, '.norn'), { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile())
    .map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8'))

const postmaster = (server: string) => Number(readFileSync(join(server, 'data/postmaster.pid'), 'utf8').split('\n')[0])

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return port
}

const until = async (holds: () => boolean) => {
  while (!holds()) await sleep(20)
}

it.skipIf(isSkipped || lacksRedis)('what one server says leaves the waits of another as they are', async () => {
  const here = bank()
  here.write(
    'both.fuzz.ts',
    `import { fuzz } from 'norn'
import pg from 'pg'
import { Redis } from 'ioredis'

fuzz('both', {}, async () => {
  const client = new pg.Client({ connectionString: process.env.DATABASE_URL })
  await client.connect()
  const redis = new Redis(process.env.REDIS_URL)
  const popped = redis.blpop('nothing', 1)
  await new Promise((resolve) => setTimeout(resolve, 100))
  await client.query('SELECT 1')
  if (await popped !== null) throw new Error('popped')
  await client.end()
  redis.disconnect()
})
`,
  )
  const { status, stdout } = await here.norn('fuzz', 'both.fuzz.ts', '--redis', '--runs', '10')
  expect([status, stdout]).toEqual([0, expect.stringContaining('no failure')])
})

it.skipIf(lacksRedis)('a Redis of the user is only read, and its password shows nowhere', async () => {
  const other = bank()
  other.write('norn.config.ts', 'export default {}')
  other.write(
    'stock.fuzz.ts',
    `import { fuzz } from 'norn'
import { Redis } from 'ioredis'

fuzz('the stock is not oversold', {}, async () => {
  const redis = new Redis(process.env.REDIS_URL)
  const take = async () => {
    if (Number(await redis.get('stock')) > 0) await redis.decr('stock')
  }
  await Promise.all([take(), take()])
  const left = await redis.get('stock')
  redis.disconnect()
  if (Number(left) < 0) throw new Error('the stock is ' + left)
})
`,
  )
  const port = await freePort()
  const flags = ['--port', `${port}`, '--requirepass', 'very-secret', '--save', '', '--dir', other.root]
  const server = spawn(findProgram('redis-server')!, flags, { stdio: 'ignore' })
  const ask = (...words: readonly string[]) =>
    spawnSync(findProgram('redis-cli')!, ['-p', `${port}`, '-a', 'very-secret', '--no-auth-warning', ...words], {
      encoding: 'utf8',
    }).stdout.trim()
  try {
    await until(() => ask('PING') === 'PONG')
    ask('SET', 'stock', '1')
    const url = `redis://:very-secret@127.0.0.1:${port}`
    const { status, stdout, stderr } = await other.norn('fuzz', 'stock.fuzz.ts', '--redis', url, '--seed', '1')
    expect([status, stdout]).toEqual([1, expect.stringContaining('the stock is -1')])
    expect(ask('GET', 'stock')).toBe('1')
    for (const text of [stdout, stderr, ...keptTexts(other)]) expect(text).not.toContain('very-secret')
    const wrong = await other.norn('fuzz', 'stock.fuzz.ts', '--redis', url.replace('very-secret', 'wrong-secret'))
    expect([wrong.status, wrong.stderr]).toEqual([3, expect.stringMatching(`redis://127.0.0.1:${port}.*WRONGPASS`)])
    expect(wrong.stderr).not.toContain('wrong-secret')
  } finally {
    server.kill('SIGKILL')
    await once(server, 'exit')
  }
  const { status, stderr } = await other.norn('fuzz', 'stock.fuzz.ts', '--redis', `redis://127.0.0.1:${port}`)
  expect([status, stderr]).toEqual([
    3,
    expect.stringMatching(`database redis: url: redis://127.0.0.1:${port}.*ECONNREFUSED`),
  ])
})

describe.skipIf(isSkipped)('a database of PostgreSQL', () => {
  let here: Project
  beforeAll(() => {
    here = bank()
  })

  it('takes part: a lost update is found, told in SQL and replayed exactly in another process', async () => {
    const { status, stdout } = await here.norn('fuzz', 'lost.fuzz.ts', '--seed', '1')
    expect(stdout).toContain('the sum is')
    expect(stdout).toContain('(waits for connection')
    expect(stdout).toContain('COMMIT')
    expect(status).toBe(1)
    const hash = /the same trace, (\w+)/
    const replays = [await here.norn('replay', here.failures()[0]!), await here.norn('replay', here.failures()[0]!)]
    for (const replayed of replays) expect([replayed.status, replayed.stdout]).toEqual([1, expect.stringMatching(hash)])
    expect(hash.exec(replays[0]!.stdout)![1]).toBe(hash.exec(replays[1]!.stdout)![1])
  })

  it('is clean where rows are locked, by several workers too', async () => {
    const { status, stdout } = await here.norn(
      'fuzz',
      'locked.fuzz.ts',
      '--seed',
      '1',
      '--runs',
      '60',
      '--workers',
      '2',
    )
    expect([status, stdout]).toEqual([0, expect.stringContaining('no failure')])
  })

  it('that cannot be made is named, with what is wrong', async () => {
    const other = bank()
    other.write('schema.sql', 'CREATE TABLE a (x integer);\nINSERT INTO b VALUES (1);\n')
    const { status, stderr } = await other.norn('fuzz', 'lost.fuzz.ts')
    expect([status, stderr]).toEqual([
      3,
      expect.stringMatching(/database main: schema: .*schema\.sql:2: ERROR: {2}relation "b"/),
    ])
    other.write('norn.config.ts', CONFIGURATION.replace("schema: 'schema.sql'", "schema: 'no.sql'"))
    expect(await other.norn('fuzz', 'lost.fuzz.ts')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('norn.config.ts: databases.main.schema: no such file: no.sql'),
    })
    other.write('norn.config.ts', CONFIGURATION.replace("schema: 'schema.sql'", 'url: undefined'))
    expect(await other.norn('fuzz', 'lost.fuzz.ts')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('databases.main.url is undefined'),
    })
  })

  it('of the user is copied, never written, and its password shows nowhere', async () => {
    const schema = join(here.root, 'schema.sql')
    const [target] = startDatabases({ users: { kind: 'postgres', schema } }) as PostgresTarget[]
    const folder = dirname((target!.server as { path: string }).path)
    const url = `postgres://postgres:very-secret@localhost/${target!.template}?host=${encodeURIComponent(folder)}`
    const sql = (database: string, statement: string) => psql(folder, database, statement)
    const dump = () => sql(target!.template, 'SELECT xmin, ctid, * FROM accounts')
    const before = dump()
    const other = bank()
    other.write('norn.config.ts', 'export default {}')
    const found = await other.norn('fuzz', 'lost.fuzz.ts', '--postgres', url, '--seed', '1')
    expect([found.status, found.stdout]).toEqual([1, expect.stringContaining('the sum is')])
    expect(dump()).toBe(before)
    await until(() => !sql('postgres', 'SELECT datname FROM pg_database').includes('norn_'))
    for (const text of [found.stdout, found.stderr, ...keptTexts(other)]) expect(text).not.toContain('very-secret')
    const replay = /--postgres (\S+)/.exec(found.stdout)![1]!
    expect(replay).toContain('postgres://postgres@localhost/')
  })

  it('that ends in the middle of a search ends it with a reason', async () => {
    const known = new Set(folders())
    const child = start(here.root, ['fuzz', 'locked.fuzz.ts', '--runs', '1000000', '--time', '10m'])
    const outcome = ended(child)
    const folder = () => folders().find((each) => !known.has(each))
    await until(() => folder() !== undefined && existsSync(join(folder()!, 'answer.json')))
    // Executions are under way: control and two clients are connected to the worker's database.
    const connected = "SELECT count(*) FROM pg_stat_activity WHERE datname LIKE 'template_main_%'"
    const server = join(folder()!, 'postgres')
    await until(() => Number(psql(server, 'postgres', connected)) >= 3)
    process.kill(postmaster(server), 'SIGQUIT')
    const { status, stdout } = await outcome
    expect([status, stdout]).toEqual([3, expect.stringMatching(/database main: /)])
  })

  it('that does not answer ends a search with a reason: the program is not said to hang', async () => {
    const known = new Set(folders())
    const child = start(here.root, ['fuzz', 'locked.fuzz.ts', '--runs', '1000000', '--time', '10m', '--hang', '2s'])
    const outcome = ended(child)
    const folder = () => folders().find((each) => !known.has(each))
    await until(() => folder() !== undefined && existsSync(join(folder()!, 'answer.json')))
    const server = join(folder()!, 'postgres')
    const clients = "SELECT pid FROM pg_stat_activity WHERE datname LIKE 'template_main_%'"
    let pids: readonly number[] = []
    await until(() => {
      pids = psql(server, 'postgres', clients)
        .split('\n')
        .flatMap((line) => (line === '' ? [] : [Number(line)]))
      return pids.length >= 3
    })
    for (const pid of [postmaster(server), ...pids]) process.kill(pid, 'SIGSTOP')
    const { status, stdout } = await outcome
    expect([status, stdout]).toEqual([3, expect.stringContaining('database main: no answer within 6 s')])
    expect(stdout).not.toContain('hang:')
    await until(() => !existsSync(server))
  })

  it('whose URL is wrong is refused without its password', async () => {
    const { status, stderr } = await here.norn('fuzz', 'lost.fuzz.ts', '--postgres', 'mysql://ada:very-secret@host/db')
    expect([status, stderr]).toEqual([
      2,
      expect.stringContaining('--postgres mysql://ada@host/db: expected postgres://'),
    ])
    expect(stderr).not.toContain('very-secret')
  })

  it('goes away with its call, however that ends', async () => {
    const known = new Set(folders())
    const child = start(here.root, ['fuzz', 'locked.fuzz.ts', '--runs', '1000000', '--time', '10m'])
    const outcome = ended(child)
    const mine = () => folders().filter((each) => !known.has(each))
    await until(() => mine().some((each) => existsSync(join(each, 'answer.json'))))
    const [folder] = mine()
    child.kill('SIGKILL')
    await outcome
    await until(() => !existsSync(folder!))
    expect(spawnSync('pgrep', ['-f', folder!]).status).toBe(1)
  })
})
