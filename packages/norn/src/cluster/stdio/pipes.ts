/**
 * The three descriptors over which a program is talked to: two named pipes, and a file for what it
 * says on stderr.
 *
 * Named pipes, as reads from them block: an exchange is then two system calls, and nothing of
 * Node's loop is needed (what `child_process` makes are sockets that do not block). Invariant: once
 * `openPipes` is back, nothing of this is on the disk: names are removed as soon as all ends are
 * open.
 *
 * An end of a pipe waits for its other end to be opened. One that is open for both, on Linux as on
 * macOS, waits for nobody, and lets those after it in; it is closed before anything is read, so
 * that the end of the program is the end of the pipe.
 */
import { execFileSync } from 'node:child_process'
import { closeSync, constants, mkdtempSync, openSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { OWNER, removeLeftovers } from '../../storage/files.ts'

const FOLDER = 'norn-program-'

/** As they were before any code under test could change them. */
const TEMPORARY = tmpdir()
const ENVIRONMENT = { ...process.env }

export interface Pipes {
  /** This side: what is written here the program reads, and so on. */
  readonly toProgram: number
  readonly fromProgram: number
  /**
   * Of the program; `errors` is a file, read by this side too. Each write of the program appends.
   */
  readonly stdin: number
  readonly stdout: number
  readonly errors: number
}

let looked = false

/** Opens them; throws if the machine has no named pipes. */
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
      errors: open('errors', O_RDWR | O_APPEND | O_CREAT | O_EXCL),
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
