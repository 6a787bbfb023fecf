/**
 * What a side took of its core: the time in which its main thread ran. On a busy machine it says more than a clock, which
 * counts what others did in between too; helping threads (collections of garbage) are left out.
 */
import { readFileSync } from 'node:fs'

/** Linux counts in hundredths of a second. */
const TICK_MS = 10

/** Milliseconds of processor time of a process's main thread so far; 0 where Linux is not there to ask. */
export function coreMs(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/task/${pid}/stat`, 'utf8')
    // The name of the thread, in brackets, may hold anything; behind it user and system time are the 12th and 13th.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return (Number(fields[11]) + Number(fields[12])) * TICK_MS
  } catch {
    return 0
  }
}
