/** Rates, and processor time and memory of a process on Linux. */
import { readFileSync } from 'node:fs'

const TICK_MS = 10
const PAGE_BYTES = 4096
const MIB = 2 ** 20

/** One round of one side: a rate a second. */
export type Side = () => Promise<number>

/**
 * Rates by round and side. The sides alternate within a round, so that a busy machine slows all of
 * them; compute ratios within a round.
 */
export async function ratesInTurn(sides: readonly Side[], rounds: number): Promise<readonly (readonly number[])[]> {
  const rates: number[][] = []
  for (let round = 0; round < rounds; round++) {
    const row: number[] = []
    for (const side of sides) row.push(await side())
    rates.push(row)
  }
  return rates
}

/** @param count units of work that `run` does */
export async function perSecond(count: number, run: () => unknown): Promise<number> {
  const began = performance.now()
  await run()
  return (1000 * count) / (performance.now() - began)
}

export function rounded(value: number, digits = 2): number {
  return Number(value.toFixed(digits))
}

/**
 * Milliseconds of processor time of a process's main thread so far, to the nanosecond; 0 without Linux. A busy
 * machine affects this less than wall time. Helper threads (garbage collection) are not counted.
 */
export function coreMs(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ', 1)[0]) / 1e6
  } catch {
    return 0
  }
}

/** The same of all threads of a process, to ten milliseconds. */
export function processorMs(pid: number): number {
  return ticksMs(`/proc/${pid}/stat`)
}

function ticksMs(path: string): number {
  try {
    const stat = readFileSync(path, 'utf8')
    // The name of the thread, in brackets, may contain anything; user and system time are the 12th
    // and 13th fields after it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return (Number(fields[11]) + Number(fields[12])) * TICK_MS
  } catch {
    return 0
  }
}

/** Resident memory of a process, in MiB. */
export function residentMib(pid: number): number {
  return (Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * PAGE_BYTES) / MIB
}
