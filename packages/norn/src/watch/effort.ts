/**
 * What a process has done and holds, as the system tells it: the one place that asks. Linux tells in
 * /proc; elsewhere nothing is known.
 */
import { readdirSync, readFileSync } from 'node:fs'

export interface Effort {
  /** Processor time used, in milliseconds. */
  readonly cpuMs: number
  /** Whether it waits for something other than a processor. */
  readonly isAsleep: boolean
}

/** Linux counts in hundredths of a second, whatever the kernel's own clock. */
const TICK_MS = 10

const PAGE_BYTES = 4096

/** Of the main thread of a process: others compile, and collect garbage. */
export function effortOf(pid: number | undefined): Effort | undefined {
  return read(`/proc/${pid}/task/${pid}/stat`)?.effort
}

/** Of all processes of a group together. */
export function effortOfGroup(group: number): Effort | undefined {
  let processes: string[]
  try {
    processes = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  } catch {
    return undefined
  }
  const members = processes.map((pid) => read(`/proc/${pid}/stat`)).filter((each) => each?.group === group)
  if (members.length === 0) return undefined
  return {
    cpuMs: members.reduce((sum, each) => sum + each!.effort.cpuMs, 0),
    isAsleep: members.every((each) => each!.effort.isAsleep),
  }
}

/** The memory that a process holds. */
export function residentBytes(pid: number | undefined): number | undefined {
  try {
    return Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * PAGE_BYTES
  } catch {
    return undefined
  }
}

/** Follows proc_pid_stat(5). The name of the program, in parentheses, may hold anything. */
function read(path: string): { readonly effort: Effort; readonly group: number } | undefined {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
  const [state, , group, , , , , , , , , user, system] = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return {
    // Running, or in a system call that cannot be interrupted.
    effort: { cpuMs: (Number(user) + Number(system)) * TICK_MS, isAsleep: state !== 'R' && state !== 'D' },
    group: Number(group),
  }
}
