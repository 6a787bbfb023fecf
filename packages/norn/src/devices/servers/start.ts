/**
 * Servers and databases for one call of norn: starts a keeper, which starts servers, makes databases and takes all away
 * when the call has ended, however it ends.
 */
import { spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DatabaseTarget } from '../../contract/database.ts'
import type { Databases } from '../../options/databases.ts'
import { DeviceError } from '../device.ts'
import { isRunning } from './machine.ts'

/** In memory a server starts and answers faster. */
const MEMORY = '/dev/shm'
const LEAST_BYTES = 512 * 1024 * 1024
/** How often it is looked whether servers are ready, in milliseconds. */
const LOOK_MS = 5

/** What the keeper is told. */
export interface KeeperTask {
  readonly folder: string
  readonly databases: Databases
  /** The process for which all this is. */
  readonly owner: number
}

/** What the keeper answers, in `answer.json` of its folder. */
export type KeeperAnswer = { readonly targets: readonly DatabaseTarget[] } | { readonly failed: string }

export const ANSWER = 'answer.json'

const started = new Map<string, readonly DatabaseTarget[]>()

/**
 * Starts the servers of a project, once in a process; waits until they are ready.
 *
 * @throws DeviceError that says what is wrong
 */
export function startDatabases(databases: Databases): readonly DatabaseTarget[] {
  const key = JSON.stringify(databases)
  let targets = started.get(key)
  if (targets === undefined) started.set(key, (targets = start(databases)))
  return targets
}

function start(databases: Databases): readonly DatabaseTarget[] {
  const folder = mkdtempSync(join(memoryFolder() ?? tmpdir(), 'norn-databases-'))
  // Servers may run as another user.
  chmodSync(folder, 0o711)
  mkdirSync(join(folder, 'log'))
  const file = import.meta.url.endsWith('.ts') ? 'keeper.ts' : 'keeper.js'
  const task: KeeperTask = { folder, databases, owner: process.pid }
  const keeper = spawn(process.execPath, ['--no-warnings', ...conditions(), join(import.meta.dirname, file)], {
    detached: true,
    stdio: 'ignore',
    env: { ...process.env, NORN_KEEPER: JSON.stringify(task), NODE_OPTIONS: undefined },
  })
  let hasFailed = false
  keeper.once('error', () => {
    hasFailed = true
  })
  keeper.unref()
  const answer = join(folder, ANSWER)
  const pause = new Int32Array(new SharedArrayBuffer(4))
  while (!existsSync(answer) && !hasFailed && isRunning(keeper.pid!)) Atomics.wait(pause, 0, 0, LOOK_MS)
  if (!existsSync(answer)) {
    rmSync(folder, { recursive: true, force: true })
    throw new DeviceError('the databases of this call could not be started')
  }
  const result = JSON.parse(readFileSync(answer, 'utf8')) as KeeperAnswer
  if ('failed' in result) throw new DeviceError(result.failed)
  return result.targets
}

/** A package condition of this process, under which the sources are used. */
function conditions(): string[] {
  return import.meta.url.endsWith('.ts') ? ['-C', 'norn-source'] : []
}

function memoryFolder(): string | undefined {
  try {
    const { bavail, bsize } = statfsSync(MEMORY)
    return bavail * bsize >= LEAST_BYTES ? MEMORY : undefined
  } catch {
    return undefined
  }
}
