/**
 * Executions a second of two sessions of three statements, beside bare clients that send the same statements to the
 * same server; and what putting the data back takes.
 */
import { spawn } from 'node:child_process'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import mysql from 'mysql2/promise'
import pg from 'pg'
import type {
  DatabaseKind,
  DatabaseTarget,
  MariadbTarget,
  PostgresTarget,
  RedisTarget,
} from '../../packages/norn/src/contract/database.ts'
import type { Device } from '../../packages/norn/src/devices/device.ts'
import { MariadbDevice } from '../../packages/norn/src/devices/mariadb/mariadb-device.ts'
import { CAPABILITY, COMMAND, command, number, packet } from '../../packages/norn/src/devices/mariadb/packets.ts'
import { int32, message, query } from '../../packages/norn/src/devices/postgres/messages.ts'
import { PostgresDevice } from '../../packages/norn/src/devices/postgres/postgres-device.ts'
import { startDatabases } from '../../packages/norn/src/devices/servers/start.ts'
import { mariadb, postgres, redis } from '../../packages/norn/src/options/databases.ts'
import { perSecond, ratesInTurn, rounded, type Side } from '../measure.ts'
import { printTable } from '../output.ts'
import { median } from '../statistics/summary.ts'
import { COMMANDS, MARIADB_STATEMENTS, STATEMENTS } from '../subjects/databases/statements.ts'
import type { CommonOptions } from '../suite.ts'
import { SubjectProcess } from '../trials/subject-process.ts'

const FOLDER = join(import.meta.dirname, '../subjects/databases')
const FULL = { executions: 1000, rounds: 5 }
const SMOKE = { executions: 50, rounds: 1 }

interface Row {
  readonly suite: 'databases'
  readonly part: 'speed'
  readonly subject: string
  readonly executionsPerSecond?: number
  readonly barePerSecond?: number
  readonly ratio?: number
  readonly ms?: number
}

export async function run({ smoke, json }: CommonOptions): Promise<void> {
  const { executions, rounds } = smoke ? SMOKE : FULL
  const schema = join(FOLDER, 'schema.sql')
  const databases = {
    main: postgres({ schema }),
    other: mariadb({ schema, variable: 'MARIADB_URL' }),
    cache: redis(),
  }
  const targets = startDatabases(databases)
  const of = <Kind extends DatabaseKind>(kind: Kind) =>
    targets.find((each) => each.kind === kind) as Extract<DatabaseTarget, { kind: Kind }>
  const subject = new SubjectProcess({ name: 'speed', file: join(FOLDER, 'speed.fuzz.ts') }, [], databases)
  await using bare = await BareClients.open(of('postgres'), of('mariadb'), of('redis'))
  try {
    const rows: Row[] = []
    for (const [name, once] of [
      ['PostgreSQL', () => bare.statements()],
      ['MariaDB', () => bare.mariadbStatements()],
      ['Redis', () => bare.commands()],
    ] as const) {
      const norn: Side = () =>
        perSecond(executions, () =>
          subject.trial({ strategy: 'portfolio' }, 1, { runs: executions }, (each) => each === name),
        )
      const client: Side = () =>
        perSecond(executions, async () => {
          for (let count = 0; count < executions; count++) await once()
        })
      await norn()
      const rates = await ratesInTurn([norn, client], rounds)
      rows.push({
        suite: 'databases',
        part: 'speed',
        subject: name,
        executionsPerSecond: rounded(median(rates.map(([rate]) => rate!)), 0),
        barePerSecond: rounded(median(rates.map(([, rate]) => rate!)), 0),
        ratio: rounded(median(rates.map(([rate, other]) => rate! / other!))),
      })
    }
    const back = { suite: 'databases', part: 'speed' } as const
    for (const [subject, device, ...begin] of [
      ['PostgreSQL', new PostgresDevice(of('postgres'), 'speed'), startup(of('postgres')), query(CHANGE)],
      ['MariaDB', new MariadbDevice(of('mariadb'), 'speed'), login('norn'), command(COMMAND.query, CHANGE)],
    ] as const) {
      const ms = rounded(await puttingBackMs(device, begin, executions))
      rows.push({ ...back, subject: `${subject}: put one row back`, ms })
    }
    if (json) for (const row of rows) console.log(JSON.stringify(row))
    else printTable(rows, ['subject', 'executionsPerSecond', 'barePerSecond', 'ratio', 'ms'])
  } finally {
    subject.close()
  }
}

/** Clients that stay connected, two of each server. */
class BareClients implements AsyncDisposable {
  readonly #clients: readonly pg.Client[]
  readonly #mariadb: readonly mysql.Connection[]
  readonly #redis: readonly Redis[]
  readonly #end: () => Promise<void>

  private constructor(
    clients: readonly pg.Client[],
    mariadb: readonly mysql.Connection[],
    redis: readonly Redis[],
    end: () => Promise<void>,
  ) {
    this.#clients = clients
    this.#mariadb = mariadb
    this.#redis = redis
    this.#end = end
  }

  static async open(
    postgres: PostgresTarget,
    mariadb: MariadbTarget,
    { program, folder }: RedisTarget,
  ): Promise<BareClients> {
    const host = dirname((postgres.server as { path: string }).path)
    const administration = new pg.Client({ host, user: postgres.user, database: 'postgres' })
    await administration.connect()
    await administration.query(`CREATE DATABASE bare TEMPLATE ${postgres.template}`)
    await administration.end()
    const clients = [1, 2].map(() => new pg.Client({ host, user: postgres.user, database: 'bare' }))
    await Promise.all(clients.map((client) => client.connect()))
    const path = join(folder, 'bare.sock')
    const child = spawn(program, ['--port', '0', '--unixsocket', path, '--save', ''], { stdio: 'ignore' })
    const redis = [1, 2].map(() => new Redis(path, { retryStrategy: () => 20 }))
    for (const each of redis) each.on('error', () => {})
    while (redis.some(({ status }) => status !== 'ready')) await sleep(20)
    // The server of a device that no session of an execution uses.
    const device = new MariadbDevice(mariadb, 'bare')
    await device.open(1, 1)
    const socketPath = join(mariadb.folder, `${mariadb.name}-bare.sock`)
    const login = { socketPath, user: 'root', database: 'norn' }
    const others = await Promise.all([1, 2].map(() => mysql.createConnection(login)))
    return new BareClients(clients, others, redis, async () => {
      child.kill('SIGKILL')
      await device.dispose()
    })
  }

  async statements(): Promise<void> {
    const session = async (client: pg.Client, id: number) => {
      for (const statement of STATEMENTS) await client.query(statement, [id])
    }
    await Promise.all(this.#clients.map((client, index) => session(client, index + 1)))
  }

  async mariadbStatements(): Promise<void> {
    const session = async (client: mysql.Connection, id: number) => {
      for (const statement of MARIADB_STATEMENTS) await client.query(statement, [id])
    }
    await Promise.all(this.#mariadb.map((client, index) => session(client, index + 1)))
  }

  async commands(): Promise<void> {
    const session = async (client: Redis, id: number) => {
      for (const command of COMMANDS) await client.call(command, `key ${id}`)
    }
    await Promise.all(this.#redis.map((client, index) => session(client, index + 1)))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const client of this.#redis) client.disconnect()
    await Promise.all([...this.#clients, ...this.#mariadb].map((client) => client.end()))
    await this.#end()
  }
}

const CHANGE = 'UPDATE test SET value = 0 WHERE id = 1'

const startup = ({ user, database }: PostgresTarget) =>
  message('', int32(0x30000), 'user', user, 'database', database, Buffer.from([0]))

function login(database: string): Buffer {
  const { protocol41, secureConnection, pluginAuthentication, connectWithDatabase } = CAPABILITY
  const capabilities = protocol41 | secureConnection | pluginAuthentication | connectWithDatabase
  const head = [number(capabilities, 4), number(1 << 24, 4), number(45, 1), Buffer.alloc(23)]
  return packet(1, ...head, 'root', number(0, 1), database, 'mysql_native_password')
}

/** Of an execution whose one session has changed a row: its session too. */
async function puttingBackMs(device: Device, units: readonly Buffer[], times: number): Promise<number> {
  const all: number[] = []
  for (let count = 0; count < times; count++) {
    await device.open(1, 1)
    for (const unit of units) await device.hand(1, 1, unit)
    const began = performance.now()
    await device.end()
    all.push(performance.now() - began)
  }
  await device.dispose()
  return median(all)
}
