/**
 * `npm run systems:postgres`: installs PostgreSQL if it is missing, and starts one on loopback that stays.
 * `npm run systems:postgres -- --stop` ends it. Norn itself needs only the programs: it starts servers of its own.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findProgram } from '../../packages/norn/src/devices/servers/machine.ts'
import { installPackages } from '../debian.ts'
import { isInstalled } from './server.ts'

const PORT = 7432
const FOLDER = join(tmpdir(), 'norn-postgres')
const DATA = join(FOLDER, 'data')

if (!isInstalled()) installPackages('PostgreSQL', ['postgresql', 'postgresql-client'])

/** The server does not run as root. */
function run(name: string, ...flags: readonly string[]): boolean {
  const words = [findProgram(name)!, ...flags]
  const isRoot = process.getuid?.() === 0
  const [file, ...rest] = isRoot
    ? ['setpriv', '--reuid=postgres', '--regid=postgres', '--clear-groups', ...words]
    : words
  const { status } = spawnSync(file!, rest, { stdio: ['ignore', 'ignore', 2], cwd: tmpdir() })
  return status === 0
}

const isRunning = existsSync(DATA) && run('pg_ctl', 'status', '-D', DATA)
if (process.argv.includes('--stop')) {
  if (isRunning) run('pg_ctl', 'stop', '-D', DATA, '-m', 'fast')
  rmSync(FOLDER, { recursive: true, force: true })
  console.log(isRunning ? 'stopped' : `nothing listens on 127.0.0.1:${PORT}`)
} else {
  if (!isRunning) {
    rmSync(FOLDER, { recursive: true, force: true })
    mkdirSync(FOLDER, { mode: 0o700 })
    if (process.getuid?.() === 0) spawnSync('chown', ['postgres:postgres', FOLDER])
    const options = `-c listen_addresses=127.0.0.1 -c port=${PORT} -c unix_socket_directories=${FOLDER}`
    const isStarted =
      run('initdb', '-D', DATA, '--no-sync', '-A', 'trust', '-U', 'postgres', '-E', 'UTF8', '--no-locale') &&
      run('pg_ctl', 'start', '-w', '-D', DATA, '-l', join(FOLDER, 'log'), '-o', options)
    if (!isStarted) throw new Error(`PostgreSQL does not start: see ${join(FOLDER, 'log')}`)
  }
  console.log(`postgres://postgres@127.0.0.1:${PORT}/postgres`)
}
