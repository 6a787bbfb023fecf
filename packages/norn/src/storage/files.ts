/**
 * Files that norn writes: saved ones are whole or absent at any moment; temporary ones carry the
 * name of the process that owns them, so that a later run removes what a killed process left.
 */
import { mkdirSync, readdirSync, readlinkSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/** The PID namespace: in another container the same process id may be in use. */
const NAMESPACE = pidNamespace()

/** Part of the name of a file or folder that belongs to this process. */
export const OWNER = `${NAMESPACE}-${process.pid}`

/** Writes a file, and the folders around it, by atomic rename. */
export function writeAtomically(path: string, text: string): void {
  const folder = dirname(path)
  mkdirSync(folder, { recursive: true })
  const temporary = join(folder, `.${basename(path)}.${OWNER}.tmp`)
  writeFileSync(temporary, text)
  renameSync(temporary, path)
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
    if (namespace === NAMESPACE && !isAlive(Number(pid))) rmSync(join(folder, name), { recursive: true, force: true })
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

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

function namesIn(folder: string): string[] {
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
