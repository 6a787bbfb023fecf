/**
 * Servers of MariaDB, of which each process starts its own on a copy of data that is made once; the keeper ends those
 * that are left.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { MariadbTarget } from '../../contract/database.ts'
import { AT, type Databases, type MariadbOptions, mariadbUrlOf, withoutPassword } from '../../options/databases.ts'
import { DeviceError } from '../device.ts'
import { Backend, USER } from '../mariadb/backend.ts'
import { CAPABILITY } from '../mariadb/packets.ts'
import { serverFlags } from '../mariadb/settings.ts'
import type { Kept } from './kept.ts'
import { clockFile, endServersIn, type Owner, placeOf, program, run, userOf } from './machine.ts'
import { sessionClockLibrary } from './session-clock-library.ts'

const PORT = 3306
const DATABASE = 'norn'
const ADVICE = 'install MariaDB (Debian: apt-get install mariadb-server)'

/** What is dumped of a database, and how: its server goes on. */
const DUMP = ['--single-transaction', '--routines', '--triggers', '--skip-lock-tables', '--skip-comments']

/** @throws DeviceError that says what is wrong */
export async function mariadbServers(parent: string, databases: Databases): Promise<Kept> {
  const declared = Object.entries(databases).flatMap(([name, options]) =>
    options.kind === 'mariadb' ? [[name, options] as const] : [],
  )
  const folder = join(parent, 'mariadb')
  const targets: MariadbTarget[] = []
  if (declared.length > 0) {
    const library = sessionClockLibrary()
    if (library === undefined)
      throw new DeviceError('a C compiler is needed for a MariaDB: install gcc and libc6-dev, or clang')
    // The server does not run as root.
    const as = process.getuid?.() === 0 ? userOf('mysql', 'nobody') : undefined
    mkdirSync(folder, { mode: 0o700 })
    if (as !== undefined) chownSync(folder, as.uid, as.gid)
    const clock = clockFile(folder, as)
    for (const [index, [name, options]] of declared.entries()) {
      const { url, database = databaseIn(url) ?? DATABASE, variable = 'DATABASE_URL' } = options
      const { at = placeIn(url) ?? `127.0.0.1:${PORT + index}` } = options
      const [, host, port] = AT.exec(at)!
      targets.push({
        name,
        kind: 'mariadb',
        ...placeOf(host!, Number(port)),
        variable,
        url: `mysql://${USER}@${host}:${port}/${database}`,
        program: program('mariadbd', ADVICE),
        folder,
        library,
        clock,
        data: await makeData(folder, name, database, options, as),
        ...(as === undefined ? {} : { as }),
      })
    }
  }
  return {
    targets,
    async remove() {
      if (targets.length > 0) endServersIn(folder)
    },
  }
}

/** Makes what executions begin with. @returns the folder of the data */
async function makeData(
  folder: string,
  name: string,
  database: string,
  { url, schema, prepare, variable = 'DATABASE_URL' }: MariadbOptions,
  as: Owner | undefined,
): Promise<string> {
  const data = join(folder, `${name}-data`)
  const socket = join(folder, `${name}-data.sock`)
  const flags = [
    `--datadir=${data}`,
    '--auth-root-authentication-method=normal',
    '--skip-test-db',
    '--skip-name-resolve',
  ]
  const sizes = [
    '--innodb-log-file-size=4M',
    '--innodb-data-file-path=ibdata1:4M:autoextend',
    '--innodb-autoextend-increment=1',
  ]
  const user = as === undefined ? [] : [`--user=${as.name}`]
  const what = `database ${name}`
  await run(program('mariadb-install-db', ADVICE), ['--no-defaults', ...flags, ...sizes, ...user], process.env, what)
  const server = spawn(program('mariadbd', ADVICE), serverFlags(data, socket), { ...as, stdio: 'ignore' })
  const ended = once(server, 'exit')
  try {
    const connection = await connected(socket, server, what)
    await connection.run(`create database \`${database}\``)
    connection.end()
    const client = ['--no-defaults', `--socket=${socket}`, `--user=${USER}`, database]
    const sql = url === undefined ? schema : await dumped(url, folder, what)
    if (sql !== undefined) await readInto(client, sql, `${what}: schema: ${sql}`)
    if (prepare !== undefined) {
      const place = encodeURIComponent(socket)
      const address = `mysql://${USER}@localhost/${database}?socketPath=${place}&socket=${place}`
      await run('/bin/sh', ['-c', prepare], { ...process.env, [variable]: address }, `${what}: prepare`)
    }
  } finally {
    server.kill('SIGTERM')
    await ended
  }
  return data
}

async function connected(socket: string, server: ReturnType<typeof spawn>, what: string): Promise<Backend> {
  const { protocol41, secureConnection, pluginAuthentication } = CAPABILITY
  for (;;) {
    try {
      return await Backend.open(socket, protocol41 | secureConnection | pluginAuthentication)
    } catch (error) {
      if (server.exitCode !== null) throw new DeviceError(`${what}: mariadbd does not start`)
      if (!(error instanceof DeviceError)) throw error
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
  }
}

/** Carries out SQL of a file, up to the first error. */
function readInto(client: readonly string[], sql: string, what: string): Promise<void> {
  const fromFile = ['-c', 'file=$0; exec "$@" < "$file"', sql]
  return run('/bin/sh', [...fromFile, program('mariadb', ADVICE), ...client], process.env, what)
}

/** Dumps the database that a URL names; its server is only read. @returns the file of the dump */
async function dumped(text: string, folder: string, what: string): Promise<string> {
  const url = mariadbUrlOf(text, (why) => {
    throw new DeviceError(`${what}: url: ${why}`)
  })
  const socket = url.searchParams.get('socketPath')
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const tcp = ['--protocol=TCP', `--host=${host}`, `--port=${url.port || PORT}`]
  const place = socket === null ? tcp : [`--socket=${socket}`]
  const file = join(folder, 'dump.sql')
  const flags = [
    '--no-defaults',
    ...place,
    `--user=${decodeURIComponent(url.username) || USER}`,
    `--result-file=${file}`,
  ]
  // A password among the arguments would show in lists of processes.
  const env = { ...process.env, MYSQL_PWD: decodeURIComponent(url.password) || process.env.MYSQL_PWD }
  await run(
    program('mariadb-dump', ADVICE),
    [...flags, ...DUMP, databaseIn(text)!],
    env,
    `${what}: ${withoutPassword(url)}`,
  )
  return file
}

function databaseIn(url: string | undefined): string | undefined {
  return url === undefined ? undefined : decodeURIComponent(new URL(url).pathname.slice(1))
}

function placeIn(url: string | undefined): string | undefined {
  if (url === undefined) return undefined
  const { hostname, port } = new URL(url)
  return `${hostname}:${port || PORT}`
}
