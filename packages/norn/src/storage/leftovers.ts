/**
 * Files and folders that norn makes for as long as one of its processes lives. Their names say whose they are, so that a
 * later run takes away what a killed one could not.
 */
import { readdirSync, readlinkSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/** The processes among which a number means this process: of another container the same number may be in use. */
const SPACE = spaceOfProcesses()

/** Stands in the name of what belongs to this process. */
export const OWNER = `${SPACE}-${process.pid}`

/**
 * Removes what lies in a folder and belongs to a process that is gone.
 *
 * @param before and `after` are what stands around the owner in such names
 */
export function removeLeftovers(folder: string, before: string, after: string): void {
  for (const name of namesIn(folder)) {
    const at = name.indexOf(before)
    if (at < 0 || !name.includes(after, at)) continue
    const [, space, pid] = /^(\d+)-(\d+)/.exec(name.slice(at + before.length)) ?? []
    if (space === SPACE && !isAlive(Number(pid))) rmSync(join(folder, name), { recursive: true, force: true })
  }
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

function spaceOfProcesses(): string {
  try {
    return /\d+/.exec(readlinkSync('/proc/self/ns/pid'))?.[0] ?? '0'
  } catch {
    return '0'
  }
}
