/** Servers of PostgreSQL: a private one for the databases that need it, and copies in those that the project names. */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { chownSync, closeSync, mkdirSync, openSync, readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { PostgresTarget, ServerAddress } from '../../contract/database.ts'
import { AT, type Databases, type PostgresOptions, urlOf, withoutPassword } from '../../options/databases.ts'
import { DeviceError } from '../device.ts'
import { Connection } from '../postgres/connection.ts'
import { name } from '../postgres/quoting.ts'
import type { Kept } from './kept.ts'
import { clockFile, isRunning, placeOf, program, run, userOf } from './machine.ts'
import { sessionClockLibrary } from './session-clock-library.ts'

const USER = 'postgres'
const DATABASE = 'norn'
const PORT = 5432
/** How long a server may take to end, in milliseconds. */
const STOP_MS = 5000
/** How long, and how often, a server that is away is asked to remove copies, in milliseconds. */
const REMOVAL_MS = 30_000
const REMOVAL_TRIES = 60
const ADVICE = 'install PostgreSQL (Debian: apt-get install postgresql), or name a server that runs with `url`'

/** Nothing is to survive the machine, and nothing happens by itself. */
const SETTINGS = {
  listen_addresses: '',
  fsync: 'off',
  full_page_writes: 'off',
  autovacuum: 'off',
  synchronize_seqscans: 'off',
  jit: 'off',
  dynamic_shared_memory_type: 'mmap',
  max_connections: '200',
  shared_buffers: '32MB',
  max_wal_size: '256MB',
  wal_level: 'replica',
  max_wal_senders: '0',
  track_counts: 'off',
  lc_messages: 'C',
}

type Declared = readonly [name: string, options: PostgresOptions]

/** @throws DeviceError that says what is wrong */
export async function postgresServers(folder: string, databases: Databases): Promise<Kept> {
  const all = Object.entries(databases).flatMap(([name, options]): Declared[] =>
    options.kind === 'postgres' ? [[name, options]] : [],
  )
  const own = all.filter(([, { url }]) => url === undefined)
  const named = all.filter(([, { url }]) => url !== undefined)
  const server = own.length === 0 ? undefined : await PrivateServer.start(folder)
  try {
    const targets: PostgresTarget[] = []
    for (const [index, declared] of own.entries()) targets.push(await server!.make(declared, index))
    for (const declared of named) targets.push(await copyOf(declared))
    return {
      targets,
      async remove() {
        for (const target of targets) if (target.server !== server?.address) await removeCopies(target)
        await server?.stop()
      },
    }
  } catch (error) {
    await server?.stop()
    throw error
  }
}

class PrivateServer {
  readonly address: ServerAddress
  readonly #folder: string
  readonly #process: ChildProcess
  readonly #clock: string | undefined

  private constructor(folder: string, process: ChildProcess, clock: string | undefined) {
    this.#clock = clock
    this.#folder = folder
    this.#process = process
    this.address = { path: join(folder, `.s.PGSQL.${PORT}`) }
  }

  static async start(parent: string): Promise<PrivateServer> {
    const folder = join(parent, 'postgres')
    mkdirSync(folder, { mode: 0o700 })
    // The server does not run as root.
    const as = process.getuid?.() === 0 ? userOf('postgres', 'nobody') : undefined
    if (as !== undefined) chownSync(folder, as.uid, as.gid)
    const data = join(folder, 'data')
    const flags = ['-D', data, '--no-sync', '-A', 'trust', '-U', USER, '--no-locale', '-E', 'UTF8', '--wal-segsize=4']
    try {
      await promisify(execFile)(program('initdb', ADVICE), [...flags, '--no-instructions'], { ...as, cwd: folder })
    } catch (error) {
      throw new DeviceError(
        `PostgreSQL's initdb fails: ${(error as { stderr?: string }).stderr?.trim() || (error as Error).message}`,
      )
    }
    const log = openSync(join(folder, 'log'), 'a')
    const library = sessionClockLibrary()
    const clock = library === undefined ? undefined : clockFile(folder, as)
    const settings = { ...SETTINGS, unix_socket_directories: folder, port: `${PORT}` }
    const child = spawn(
      program('postgres', ADVICE),
      ['-D', data, ...Object.entries(settings).flatMap(([key, value]) => ['-c', `${key}=${value}`])],
      {
        ...as,
        stdio: ['ignore', log, log],
        cwd: folder,
        env: { ...process.env, LD_PRELOAD: library, NORN_SESSIONS: clock },
      },
    )
    closeSync(log)
    const server = new PrivateServer(folder, child, clock)
    await server.#ready()
    return server
  }

  /** Makes the template of a database. */
  async make([key, options]: Declared, index: number): Promise<PostgresTarget> {
    const {
      schema,
      prepare,
      database = DATABASE,
      variable = 'DATABASE_URL',
      at = `127.0.0.1:${PORT + index}`,
    } = options
    const template = `template_${key}`
    const administration = await Connection.open(this.#login('postgres'))
    await administration.rows(`create database ${name(template)}`)
    administration.end()
    const socket = encodeURIComponent(this.#folder)
    const environment = {
      ...process.env,
      PGOPTIONS: '',
      [variable]: `postgres://${USER}@localhost/${template}?host=${socket}`,
    }
    if (schema !== undefined) {
      const flags = ['-X', '-q', '-v', 'ON_ERROR_STOP=1', '-h', this.#folder, '-U', USER, '-d', template, '-f', schema]
      await run(program('psql', ADVICE), flags, environment, `database ${key}: schema`)
    }
    if (prepare !== undefined) await run('/bin/sh', ['-c', prepare], environment, `database ${key}: prepare`)
    const [, host, port] = AT.exec(at)!
    return {
      name: key,
      kind: 'postgres',
      ...placeOf(host!, Number(port)),
      variable,
      url: `postgres://${USER}@${host}:${port}/${database}`,
      server: this.address,
      user: USER,
      template,
      ...(this.#clock === undefined ? {} : { clock: this.#clock }),
      database,
    }
  }

  async stop(): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return
    const ended = once(this.#process, 'exit')
    // An immediate shutdown: what is in it is not kept. One that has been stopped hears only of the second signal.
    this.#process.kill('SIGQUIT')
    const late = setTimeout(() => this.#process.kill('SIGKILL'), STOP_MS)
    await ended
    clearTimeout(late)
  }

  #login(database: string) {
    return { server: this.address, user: USER, database }
  }

  async #ready(): Promise<void> {
    for (;;) {
      if (this.#process.exitCode !== null)
        throw new DeviceError(`PostgreSQL does not start: ${readFileSync(join(this.#folder, 'log'), 'utf8').trim()}`)
      try {
        ;(await Connection.open(this.#login('postgres'))).end()
        return
      } catch {
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    }
  }
}

/** A copy of a database that the project names, from which each process makes its own. The named one is only read. */
async function copyOf([key, options]: Declared): Promise<PostgresTarget> {
  const url = urlOf(options.url!, (why) => {
    throw new DeviceError(`database ${key}: url: ${why}`)
  })
  const decoded = (text: string) => decodeURIComponent(text)
  const host = url.searchParams.get('host') ?? url.hostname.replace(/^\[|\]$/g, '')
  const port = Number(url.port || PORT)
  const server = host.startsWith('/') ? { path: join(host, `.s.PGSQL.${port}`) } : { host, port }
  const database = options.database ?? decoded(url.pathname.slice(1))
  const user = decoded(url.username) || USER
  const password = decoded(url.password) || process.env.PGPASSWORD
  const template = `${OURS}${process.pid}_${key}`
  const login = { server, user, password, database: 'postgres' }
  try {
    const administration = await Connection.open(login)
    await removeLeftovers(administration)
    await administration.rows(`create database ${name(template)} template ${name(decoded(url.pathname.slice(1)))}`)
    administration.end()
  } catch (error) {
    throw new DeviceError(`database ${key}: ${withoutPassword(url)}: ${(error as Error).message}`)
  }
  const [, shownHost = host.startsWith('/') ? '127.0.0.1' : host, shownPort = port] = AT.exec(options.at ?? '') ?? []
  return {
    name: key,
    kind: 'postgres',
    ...placeOf(shownHost, Number(shownPort)),
    variable: options.variable ?? 'DATABASE_URL',
    url: `postgres://${url.username || USER}@${shownHost}:${shownPort}/${database}`,
    server,
    user,
    ...(password === undefined ? {} : { password }),
    template,
    database,
  }
}

/**
 * Begins the names of databases that calls on this machine have made: others may use the server too, whose processes
 * nobody here can see.
 */
const OURS = `norn_${createHash('sha256').update(hostname()).digest('hex').slice(0, 8)}_`

/** Databases of calls that are gone are removed by the next. */
async function removeLeftovers(administration: Connection): Promise<void> {
  const named = await administration.rows(`select datname from pg_database where starts_with(datname, '${OURS}')`)
  for (const [database] of named) {
    const [, pid] = /^(\d+)_/.exec(database!.slice(OURS.length)) ?? []
    if (pid !== undefined && !isRunning(Number(pid))) await drop(administration, database!)
  }
}

async function drop(administration: Connection, database: string): Promise<void> {
  await administration.rows(`drop database if exists ${name(database)} with (force)`)
}

/** A server that restarts is waited for; if it stays away, the next call with it removes what is left. */
async function removeCopies(target: PostgresTarget): Promise<void> {
  for (let left = REMOVAL_TRIES; left > 0; left--) {
    try {
      return await removeCopiesNow(target)
    } catch {
      await new Promise((resolve) => setTimeout(resolve, REMOVAL_MS / REMOVAL_TRIES))
    }
  }
}

async function removeCopiesNow({ server, user, password, template }: PostgresTarget): Promise<void> {
  const administration = await Connection.open({ server, user, password, database: 'postgres' })
  try {
    await removeLeftovers(administration)
    // Those of processes begin with the name of what they are copies of.
    const copies = await administration.rows(
      `select datname from pg_database where starts_with(datname, '${template}')`,
    )
    for (const [database] of copies) await drop(administration, database!)
  } finally {
    administration.end()
  }
}
