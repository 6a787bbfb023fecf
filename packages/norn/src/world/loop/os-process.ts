/**
 * A process of the operating system, as far as the program sees it: what its threads share. The
 * body's is the first; each child process that runs Node has its own.
 */

/** The process id of the body's process. */
export const FIRST_PID = 4242
/** The process that adopts those whose parent has ended. */
const INIT_PID = 1
const USUAL_MASK = 0o022

export class OsProcess {
  pid: number
  readonly parent: OsProcess | undefined
  /** The working directory; undefined for that of the real process. */
  directory: string | undefined
  /** The mask of file modes. */
  mask: number
  /** Threads begun, apart from the first. */
  threads = 0
  hasEnded = false
  /** The name of the signal that ended it; '' if none did. */
  signal = ''

  constructor(pid: number, parent: OsProcess | undefined) {
    this.pid = pid
    this.parent = parent
    this.directory = parent?.directory
    this.mask = parent?.mask ?? USUAL_MASK
  }

  get ppid(): number {
    return this.parent === undefined || this.parent.hasEnded ? INIT_PID : this.parent.pid
  }

  /** Whether it is the body's. */
  get isFirst(): boolean {
    return this.parent === undefined
  }
}
