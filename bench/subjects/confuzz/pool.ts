/**
 * The thread pool as a parameter of the subjects, so that `fc.scheduler`, which orders only
 * promises handed to it, runs the same bodies, and a test can fix their order.
 *
 * A pause is an operation of the pool, as Node allows several orders of these: pauses made of
 * microtasks, ticks, immediates or `setTimeout(0)` have one order on stock Node.
 */
import { access, mkdir, stat } from 'node:fs/promises'

export interface Pool {
  /** Yields to the other tasks. */
  pause(): Promise<void>
  /** Whether the path exists. */
  exists(path: string): Promise<boolean>
  /** Makes one directory; rejects with EEXIST if the path exists. */
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
