/**
 * `npm run systems:redis`: installs Redis if it is missing, and starts one on loopback that stays.
 * `npm run systems:redis -- --stop` ends it.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { installPackages } from '../debian.ts'
import { isInstalled } from './server.ts'

const PORT = 7379
const FOLDER = join(tmpdir(), 'norn-redis')

if (!isInstalled()) installPackages('Redis', ['redis-server'])
const client = (...args: readonly string[]) =>
  spawnSync('redis-cli', ['-h', '127.0.0.1', '-p', `${PORT}`, ...args], { encoding: 'utf8' })
const isRunning = client('ping').stdout.trim() === 'PONG'

if (process.argv.includes('--stop')) {
  if (isRunning) client('shutdown', 'nosave')
  console.log(isRunning ? 'stopped' : `nothing listens on 127.0.0.1:${PORT}`)
} else {
  if (!isRunning) {
    mkdirSync(FOLDER, { recursive: true })
    const own = ['--port', `${PORT}`, '--bind', '127.0.0.1', '--dir', FOLDER, '--daemonize', 'yes']
    const { status, stdout } = spawnSync('redis-server', [...own, '--save', '', '--appendonly', 'yes'])
    if (status !== 0) throw new Error(`redis-server does not start: ${stdout}`)
  }
  console.log(`redis://127.0.0.1:${PORT}`)
}
