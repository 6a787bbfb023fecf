/**
 * An isolate: one instance of the program within the execution, the body's own, a thread of it or a
 * child process. Each has its modules, its globals and its view of the process; all run in one real
 * thread and one realm, one callback at a time.
 *
 * Whatever the loop runs belongs to one isolate: the one that set the timer, submitted the operation
 * or owns the handle. So in each isolate the order is one of Node's, because the phases of the shared
 * loop are phases of its own. Between isolates any order is possible in Node; the shared loop reaches
 * a part of them: phases of two isolates go in step, and none runs while another computes.
 */
import { FIRST_PID, OsProcess } from './os-process.ts'

export class Isolate {
  /** The id of the thread; 0 is the first thread of a process. */
  readonly id: number
  /** Which started it as a thread; undefined for the first of a process. */
  readonly parent: Isolate | undefined
  readonly process: OsProcess
  /** How it ended; undefined while it runs. */
  exitCode: number | undefined
  /** Whether it keeps its parent alive. */
  isRefed = true
  /** Whether its script has begun. */
  isStarted: boolean
  /** Whether it blocks in a wait: nothing of it runs until the wait is over. */
  isBlocked = false
  /** Undefined before the first one. */
  #children: Set<Isolate> | undefined

  /** By default a thread of its parent's process, or the first of the body's. */
  constructor(
    id: number,
    parent: Isolate | undefined,
    process = parent?.process ?? new OsProcess(FIRST_PID, undefined),
  ) {
    this.id = id
    this.parent = parent
    this.process = process
    this.isStarted = parent === undefined && process.isFirst
  }

  get hasEnded(): boolean {
    return this.exitCode !== undefined
  }

  /** Threads that it started and that have not been released. */
  get children(): Set<Isolate> {
    return (this.#children ??= new Set())
  }

  /** Whether a child keeps it alive. */
  get isAwaited(): boolean {
    if (this.#children === undefined) return false
    for (const child of this.#children) if (child.isRefed) return true
    return false
  }
}
