/**
 * `npm run systems:mariadb`: installs MariaDB if it is missing, and starts one on loopback that stays.
 * `npm run systems:mariadb -- --stop` ends it. Norn itself needs only the programs: it starts servers of its own.
 */
import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, openSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findProgram } from '../../packages/norn/src/devices/servers/machine.ts'
import { installPackages } from '../debian.ts'
import { isInstalled } from './server.ts'

const PORT = 7306
const FOLDER = join(tmpdir(), 'norn-mariadb')
const DATA = join(FOLDER, 'data')
/** How often it is looked whether the server is there, in milliseconds. */
const LOOK_MS = 50

if (!isInstalled()) installPackages('MariaDB', ['mariadb-server', 'mariadb-client'])

const user = process.getuid?.() === 0 ? ['--user=mysql'] : []

function administers(...command: readonly string[]): boolean {
  const place = ['--no-defaults', '--protocol=TCP', '--host=127.0.0.1', `--port=${PORT}`, '--user=root']
  return spawnSync('mariadb-admin', [...place, ...command], { stdio: 'ignore' }).status === 0
}

const isRunning = administers('ping')
if (process.argv.includes('--stop')) {
  if (isRunning) administers('shutdown')
  rmSync(FOLDER, { recursive: true, force: true })
  console.log(isRunning ? 'stopped' : `nothing listens on 127.0.0.1:${PORT}`)
} else {
  if (!isRunning) await start()
  console.log(`mysql://root@127.0.0.1:${PORT}/test`)
}

async function start(): Promise<void> {
  rmSync(FOLDER, { recursive: true, force: true })
  mkdirSync(FOLDER, { mode: 0o700 })
  if (user.length > 0) spawnSync('chown', ['mysql:mysql', FOLDER])
  const log = openSync(join(FOLDER, 'log'), 'a')
  const flags = ['--no-defaults', `--datadir=${DATA}`, '--auth-root-authentication-method=normal', ...user]
  spawnSync(findProgram('mariadb-install-db')!, flags, { stdio: ['ignore', log, log] })
  const own = [`--datadir=${DATA}`, `--socket=${join(FOLDER, 'socket')}`, `--port=${PORT}`, '--bind-address=127.0.0.1']
  const server = spawn(findProgram('mariadbd')!, ['--no-defaults', ...own, '--skip-name-resolve', ...user], {
    detached: true,
    stdio: ['ignore', log, log],
  })
  while (server.exitCode === null && !administers('ping')) await sleep(LOOK_MS)
  if (server.exitCode !== null) throw new Error(`MariaDB does not start: see ${join(FOLDER, 'log')}`)
  server.unref()
}
