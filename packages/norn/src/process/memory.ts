/**
 * How much memory the process that runs executions may use: its heap by a flag of V8, all of it by
 * looking from outside.
 *
 * A program that hoards must not take the machine with it, and has to be found in bounded time: V8
 * with its default limit fills gigabytes first, and knows nothing of buffers.
 */
import { DEFAULT_MEMORY_MB } from '../options/table.ts'
import { residentBytes } from '../watch/effort.ts'

/** What a process needs besides the heap: code, stacks, the young generation. */
const BESIDES_MB = 256

const MIB = 2 ** 20

/**
 * The limit of a call, in MiB: as asked for, else as NODE_OPTIONS has it for every Node, else the
 * default.
 */
export function memoryLimitMb(asked: number | undefined): number {
  if (asked !== undefined) return asked
  const inherited = /--max[-_]old[-_]space[-_]size[= ](\d+)/.exec(process.env.NODE_OPTIONS ?? '')
  return inherited === null ? DEFAULT_MEMORY_MB : Number(inherited[1])
}

/**
 * How much of its limit a process holds; above 1 it has more. Asks Linux; elsewhere only V8 guards
 * its heap, and this is 0.
 */
export function memoryShare(pid: number | undefined, limitMb: number): number {
  return (residentBytes(pid) ?? 0) / MIB / (limitMb + BESIDES_MB)
}

/**
 * Whether V8 ended the process because its heap was full. V8 aborts as for any fatal error: only
 * what it writes to stderr gives the reason.
 */
export function ranOutOfMemory(errorOutput: string): boolean {
  return /FATAL ERROR: .*(?:out of memory|Allocation failed)|Fatal process out of memory/.test(errorOutput)
}
