/**
 * What a subject asks of the thread pool, as a parameter: so that `fc.scheduler`, which orders only promises that are
 * handed to it, runs the same bodies, and a test can say in which order they go on.
 *
 * A pause is an operation of the pool, because Node leaves the order of these open: on stock Node pauses made of
 * microtasks, ticks, immediates or `setTimeout(0)` came in one order only.
 */
import { access, mkdir, stat } from 'node:fs/promises'

export interface Pool {
  /** Gives way to the other tasks. */
  pause(): Promise<void>
  /** Whether something stands at a path. */
  exists(path: string): Promise<boolean>
  /** Makes one directory; rejects with EEXIST if something stands there. */
  makeDirectory(path: string): Promise<void>
}

export const threadPool: Pool = {
  async pause() {
    await stat('/')
  },
  exists: (path) =>
    access(path).then(
      () => true,
      () => false,
    ),
  makeDirectory: (path) => mkdir(path),
}
