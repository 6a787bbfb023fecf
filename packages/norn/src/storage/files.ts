/**
 * Files that norn writes: saved ones are whole or absent at any moment; temporary ones carry the
 * name of the process that owns them, so that a later run removes what a killed process left.
 */
import { mkdirSync, readdirSync, readlinkSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { getSystemErrorMessage } from 'node:util'

/** The PID namespace: in another container the same process id may be in use. */
const NAMESPACE = pidNamespace()

/** Part of the name of a file or folder that belongs to this process. */
export const OWNER = `${NAMESPACE}-${process.pid}`

/** Writes a file, and the folders around it, by atomic rename. Leaves nothing behind if it fails. */
export function writeAtomically(path: string, text: string): void {
  const folder = dirname(path)
  makeFolder(folder)
  const temporary = join(folder, `.${basename(path)}.${OWNER}.tmp`)
  try {
    writeFileSync(temporary, text)
    renameSync(temporary, path)
  } catch (error) {
    removeIfPossible(temporary)
    throw error
  }
}

/**
 * Makes a folder and those around it. Unlike `mkdir` with `recursive`, it fails with the reason of
 * the operating system: that one says ENOENT on a read-only file system.
 */
function makeFolder(folder: string): void {
  try {
    mkdirSync(folder)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') {
      // Fails if it is not a folder.
      readdirSync(folder)
      return
    }
    if (code !== 'ENOENT' || dirname(folder) === folder) throw error
    makeFolder(dirname(folder))
    makeFolder(folder)
  }
}

/** The folder of temporary files cannot be used. */
export class TemporaryFilesError extends Error {
  static from(error: unknown): TemporaryFilesError {
    const reason = systemReason(error) ?? (error as Error).message
    return new TemporaryFilesError(
      `cannot write temporary files in ${tmpdir()}: ${reason}. Make room there, or set TMPDIR to another folder`,
    )
  }
}

/** Why the operating system refused a call, for people; undefined for any other error. */
export function systemReason(error: unknown): string | undefined {
  const { code, errno } = error as NodeJS.ErrnoException
  return code === undefined || errno === undefined ? undefined : `${getSystemErrorMessage(errno)} (${code})`
}

/**
 * Removes the files and folders in a folder whose owner has died.
 *
 * @param before the part of their names before the owner
 * @param after the part of their names after the owner
 */
export function removeLeftovers(folder: string, before: string, after: string): void {
  for (const name of namesIn(folder)) {
    const at = name.indexOf(before)
    if (at < 0 || !name.includes(after, at)) continue
    const [, namespace, pid] = /^(\d+)-(\d+)/.exec(name.slice(at + before.length)) ?? []
    if (namespace === NAMESPACE && !isAlive(Number(pid))) removeIfPossible(join(folder, name))
  }
}

/**
 * The part of a file name that shows the name of a property: at most 60 lower-case letters, digits
 * and hyphens.
 */
export function slugOf(property: string): string {
  const slug = property
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 60)
  return slug || 'property'
}

/** What cannot be removed stays for a later run. */
function removeIfPossible(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true })
  } catch {}
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** The names in a folder; none if it cannot be read. */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function pidNamespace(): string {
  try {
    return /\d+/.exec(readlinkSync('/proc/self/ns/pid'))?.[0] ?? '0'
  } catch {
    return '0'
  }
}
