/**
 * The descriptors of a program: named pipes for stdin and stdout, a file for stderr.
 *
 * Reads from named pipes block, so an exchange is two system calls without Node's event loop. (The
 * pipes of `child_process` are non-blocking sockets.) Invariant: after `openPipes` nothing is left
 * on the disk, because the names are removed once all ends are open.
 *
 * Opening one end of a pipe blocks until the other is opened. An end opened for reading and writing
 * never blocks (on Linux and macOS), so one is opened first. It is closed before anything is read,
 * so that the pipe ends when the program does.
 */
import { execFileSync } from 'node:child_process'
import { closeSync, constants, mkdtempSync, openSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { OWNER, removeLeftovers } from '../../storage/files.ts'

const FOLDER = 'norn-program-'

/** Saved before code under test can change them. */
const TEMPORARY = tmpdir()
const ENVIRONMENT = { ...process.env }

export interface Pipes {
  /** The ends of this process. */
  readonly toProgram: number
  readonly fromProgram: number
  /** The ends of the program; `stderr` is a file in append mode, which this process reads too. */
  readonly stdin: number
  readonly stdout: number
  readonly stderr: number
}

let looked = false

/** @throws Error if the machine has no named pipes */
export function openPipes(): Pipes {
  if (!looked) removeLeftovers(TEMPORARY, FOLDER, '-')
  looked = true
  const folder = mkdtempSync(join(TEMPORARY, `${FOLDER}${OWNER}-`))
  const opened: number[] = []
  const open = (name: string, flags: number) => {
    const descriptor = openSync(join(folder, name), flags, 0o600)
    opened.push(descriptor)
    return descriptor
  }
  try {
    execFileSync('mkfifo', [join(folder, 'in'), join(folder, 'out')], {
      env: ENVIRONMENT,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    const { O_RDWR, O_RDONLY, O_WRONLY, O_APPEND, O_CREAT, O_EXCL } = constants
    const both = [open('in', O_RDWR), open('out', O_RDWR)]
    const pipes = {
      toProgram: open('in', O_WRONLY),
      fromProgram: open('out', O_RDONLY),
      stdin: open('in', O_RDONLY),
      stdout: open('out', O_WRONLY),
      stderr: open('stderr', O_RDWR | O_APPEND | O_CREAT | O_EXCL),
    }
    for (const descriptor of both) closeSync(descriptor)
    return pipes
  } catch (error) {
    for (const descriptor of opened) closeSync(descriptor)
    throw new Error(`programs over stdio need named pipes (mkfifo): ${(error as Error).message}`, { cause: error })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
