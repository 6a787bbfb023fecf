/** A real MariaDB that takes part in executions: `--mariadb`. */
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { isSkipped } from '../../../../systems/mariadb/server.ts'
import { ended, type Project, project, start } from './project.ts'

const SCHEMA = `CREATE TABLE accounts (name varchar(10) PRIMARY KEY, balance int NOT NULL);
INSERT INTO accounts VALUES ('ada', 100), ('bob', 100);
`

const deposits = (lock: string) => `import { fuzz } from 'norn'
import mysql from 'mysql2/promise'

async function deposit(pool, amount) {
  const client = await pool.getConnection()
  try {
    await client.beginTransaction()
    const [[{ balance }]] = await client.query("SELECT balance FROM accounts WHERE name = 'ada' ${lock}")
    await client.execute('UPDATE accounts SET balance = ? WHERE name = ?', [balance + amount, 'ada'])
    await client.commit()
  } finally {
    client.release()
  }
}

fuzz('no deposit is lost', {}, async () => {
  const pool = mysql.createPool(process.env.DATABASE_URL)
  await Promise.all([deposit(pool, 60), deposit(pool, 30)])
  const [[{ balance }]] = await pool.query("SELECT balance FROM accounts WHERE name = 'ada'")
  await pool.end()
  if (balance !== 190) throw new Error('the balance is ' + balance)
})
`

const folders = () =>
  ['/dev/shm', tmpdir()].flatMap((folder) =>
    existsSync(folder)
      ? readdirSync(folder).flatMap((name) => (/^norn-databases-/.test(name) ? [join(folder, name)] : []))
      : [],
  )

const until = async (holds: () => boolean) => {
  while (!holds()) await sleep(20)
}

describe.skipIf(isSkipped)('a MariaDB', () => {
  let here: Project
  beforeAll(() => {
    here = project({ 'schema.sql': SCHEMA, 'lost.fuzz.ts': deposits(''), 'locked.fuzz.ts': deposits('FOR UPDATE') })
    symlinkSync(resolve(import.meta.dirname, '../../../../node_modules'), join(here.root, 'node_modules'))
  })

  it('takes part: a lost update is found, told in SQL and replayed exactly in another process', async () => {
    const { status, stdout } = await here.norn('fuzz', 'lost.fuzz.ts', '--mariadb', 'schema.sql', '--seed', '1')
    expect([status, stdout]).toEqual([1, expect.stringContaining('the balance is')])
    expect(stdout).toMatch(/UPDATE accounts SET balance = 1[36]0 WHERE/)
    expect(stdout).toContain('(waits for connection')
    const replayed = await here.norn('replay', here.failures()[0]!, '--mariadb', 'schema.sql')
    expect([replayed.status, replayed.stdout]).toEqual([1, expect.stringContaining('the same trace')])
  })

  it('is clean where rows are locked', async () => {
    const flags = ['--mariadb', 'schema.sql', '--seed', '1', '--runs', '60']
    const { status, stdout } = await here.norn('fuzz', 'locked.fuzz.ts', ...flags)
    expect([status, stdout]).toEqual([0, expect.stringContaining('no failure')])
  })

  it('that cannot be made is named, with what is wrong', async () => {
    here.write('wrong.sql', 'CREATE TABLE a (x int);\nINSERT INTO b VALUES (1);\n')
    expect(await here.norn('fuzz', 'lost.fuzz.ts', '--mariadb', 'wrong.sql')).toMatchObject({
      status: 3,
      stderr: expect.stringMatching(/database mariadb: schema: wrong\.sql: .*ERROR 1146 .*at line 2: Table 'norn\.b'/s),
    })
    const { status, stderr } = await here.norn(
      'fuzz',
      'lost.fuzz.ts',
      '--mariadb',
      'postgres://ada:very-secret@host/db',
    )
    expect([status, stderr]).toEqual([
      2,
      expect.stringContaining('--mariadb postgres://ada@host/db: expected mysql://'),
    ])
    expect(stderr).not.toContain('very-secret')
  })

  it('goes away with its call, however that ends', async () => {
    const known = new Set(folders())
    const flags = ['--mariadb', 'schema.sql', '--runs', '1000000', '--time', '10m']
    const child = start(here.root, ['fuzz', 'locked.fuzz.ts', ...flags])
    const outcome = ended(child)
    const mine = () => folders().filter((each) => !known.has(each))
    // An execution is under way: a process has started its server.
    const servers = (folder: string) => join(folder, 'mariadb')
    await until(() =>
      mine().some(
        (each) => existsSync(servers(each)) && readdirSync(servers(each)).some((name) => name.endsWith('.pid')),
      ),
    )
    const [folder] = mine()
    child.kill('SIGKILL')
    await outcome
    await until(() => !existsSync(folder!))
    expect(spawnSync('pgrep', ['-f', folder!]).status).toBe(1)
  })
})
