/**
 * A larger heap than Node gives itself: its limit is set at the start, to about 4 GB on a machine
 * with more memory.
 */
import { getHeapStatistics } from 'node:v8'

/**
 * Starts this command again, in this same process, if it may use more memory than the heap can
 * take. Where the system cannot replace a process (Windows), it goes on with the heap it has.
 */
export function withHeapFor(megabytes: number | undefined): void {
  if (megabytes === undefined || megabytes * 1e6 <= getHeapStatistics().heap_size_limit) return
  if (process.platform === 'win32' || process.execve === undefined) return
  const heap = `--max-old-space-size=${Math.ceil(megabytes)}`
  process.execve(process.execPath, [process.execPath, ...process.execArgv, heap, ...process.argv.slice(1)])
}
