/** More memory than Node gives itself: its heap has a limit from its start on, about 4 GB on a machine that has more. */
import { getHeapStatistics } from 'node:v8'

/**
 * Starts this command anew, in this same process, if it is to have more memory than the heap can take. Where the system has no
 * way to do that (Windows), it goes on with the heap it has.
 */
export function withHeapFor(megabytes: number | undefined): void {
  if (megabytes === undefined || megabytes * 1e6 <= getHeapStatistics().heap_size_limit) return
  if (process.platform === 'win32' || process.execve === undefined) return
  const heap = `--max-old-space-size=${Math.ceil(megabytes)}`
  process.execve(process.execPath, [process.execPath, ...process.execArgv, heap, ...process.argv.slice(1)])
}
