/**
 * Keeps this process on one processor, with the programs that it starts afterwards.
 *
 * A process and a program that wait for each other in turn never run at once, but on two processors
 * each line has to wake one that sleeps, which takes longer than the rest of an exchange on a virtual machine.
 *
 * Linux only, and only where `taskset` is installed: elsewhere nothing happens. A processor is left alone
 * if another process is bound to it, so that several workers do not share one.
 */
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

/** Binds the process, unless there is no second processor, or none that nobody else is bound to. */
export function bindToOneProcessor(): void {
  const allowed = allowedProcessors('self')
  const free = new Set(allowed)
  for (let tries = free.size; tries > 0 && free.size > 0 && allowed.length > 1; tries--) {
    for (const { processor } of others()) free.delete(processor)
    const current = currentProcessor()
    const chosen = free.has(current) ? current : [...free][0]
    if (chosen === undefined) break
    if (!bind(chosen)) return
    // Another may have chosen it at the same moment: then the one with the lower number of a process keeps it.
    if (!others().some(({ pid, processor }) => processor === chosen && pid < process.pid)) return
    free.delete(chosen)
  }
  if (allowedProcessors('self').length < allowed.length) bind(...allowed)
}

/** Binds the main thread. Threads and processes that it starts later inherit that. */
function bind(...processors: readonly number[]): boolean {
  const { status } = spawnSync('taskset', ['-cp', processors.join(), String(process.pid)], { stdio: 'ignore' })
  return status === 0
}

interface Bound {
  readonly pid: number
  readonly processor: number
}

/** The other processes that are bound to one processor. */
function others(): readonly Bound[] {
  const pids = files('/proc').filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
  return pids.flatMap((pid) => {
    const [processor, ...more] = allowedProcessors(pid)
    // The kernel's own threads are bound too. They have no arguments.
    if (processor === undefined || more.length > 0 || text(`/proc/${pid}/cmdline`) === '') return []
    return [{ pid: Number(pid), processor }]
  })
}

/** As in proc_pid_status(5): `0-3,6`. Empty if unknown. */
function allowedProcessors(pid: string): readonly number[] {
  const list = /^Cpus_allowed_list:\s*(\S+)$/m.exec(text(`/proc/${pid}/status`))?.[1]
  if (list === undefined) return []
  return list.split(',').flatMap((range) => {
    const [first, last = first] = range.split('-').map(Number)
    return Array.from({ length: last! - first! + 1 }, (_, index) => first! + index)
  })
}

/** Field 39 of proc_pid_stat(5); the name of the program, field 2 in parentheses, may hold anything. */
function currentProcessor(): number {
  const stat = text('/proc/self/stat')
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[36])
}

function text(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

function files(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
