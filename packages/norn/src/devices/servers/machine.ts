/** What servers need of this machine: their programs, their users, their places in the world. */
import { execFile } from 'node:child_process'
import { chownSync, existsSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import type { DatabaseTarget } from '../../contract/database.ts'
import { DeviceError } from '../device.ts'
import { CLOCK_BYTES } from '../session-clock.ts'

const DEBIAN = '/usr/lib/postgresql'
const PID = /^(\d+)\.pid$/
const LOCAL = ['127.0.0.1', '::1']

/** Whose the processes of a server are. */
export interface Owner {
  readonly name: string
  readonly uid: number
  readonly gid: number
}

/** Where the program finds a server; each name that is not this machine's has an address of its own. */
export function placeOf(host: string, port: number): Pick<DatabaseTarget, 'host' | 'addresses' | 'port'> {
  const isLocal = host === 'localhost' || LOCAL.includes(host)
  return { host, addresses: isLocal ? LOCAL : [`127.0.1.${(port % 250) + 1}`], port }
}

/** Makes the file of the clock of a server. @returns its path */
export function clockFile(folder: string, owner?: Owner): string {
  const file = join(folder, 'clock')
  writeFileSync(file, '')
  truncateSync(file, CLOCK_BYTES)
  if (owner !== undefined) chownSync(file, owner.uid, owner.gid)
  return file
}

/** The path of a program: PostgreSQL's newest of Debian's, what the path has, or what is for administrators. */
export function findProgram(file: string): string | undefined {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).sort((a, b) => Number(b) - Number(a)) : []
  const folders = [
    ...versions.map((version) => join(DEBIAN, version, 'bin')),
    ...(process.env.PATH ?? '').split(delimiter),
    '/usr/sbin',
  ]
  return folders.map((folder) => join(folder, file)).find((path) => existsSync(path))
}

/** The same. @throws DeviceError that says how to install it */
export function program(file: string, advice: string): string {
  const found = findProgram(file)
  if (found === undefined) throw new DeviceError(`there is no ${file} on this machine: ${advice}`)
  return found
}

/** Whether there is a process of this number. */
export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // It belongs to somebody else.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** The first of these users that there is. */
export function userOf(...names: readonly string[]): Owner | undefined {
  const lines = readFileSync('/etc/passwd', 'utf8').split('\n')
  for (const name of names) {
    const [, , uid, gid] = lines.find((line) => line.startsWith(`${name}:`))?.split(':') ?? []
    if (uid !== undefined) return { name, uid: Number(uid), gid: Number(gid) }
  }
  return undefined
}

/** Ends the servers whose processes have left their numbers in a folder. */
export function endServersIn(folder: string): void {
  for (const file of readdirSync(folder)) {
    const [, pid] = PID.exec(file) ?? []
    if (pid !== undefined && isServerIn(folder, pid)) process.kill(Number(pid), 'SIGKILL')
  }
}

/** Whether a process is a server of this folder: another may have its number by now. */
function isServerIn(folder: string, pid: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(folder)
  } catch {
    return false
  }
}

/** Runs a program. @throws DeviceError with what it printed */
export async function run(file: string, flags: readonly string[], env: NodeJS.ProcessEnv, what: string): Promise<void> {
  try {
    await promisify(execFile)(file, flags, { env })
  } catch (error) {
    const { stderr = '', stdout = '', message } = error as { stderr?: string; stdout?: string; message: string }
    throw new DeviceError(`${what}: ${(stderr.trim() || stdout.trim() || message).slice(-2000)}`)
  }
}
