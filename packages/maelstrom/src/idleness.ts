/**
 * Whether a process is idle, from /proc: all of its threads sleep at one moment, so nothing happens
 * in it before something from outside.
 *
 * A thread that sleeps at two looks, and was not put on a processor in between, slept all the time.
 * If that holds for every thread, each first look came before each second one, and no thread was
 * made, then all slept at the moment between the looks. No clock is involved: a slow machine only
 * takes longer.
 */
import { readdirSync, readFileSync } from 'node:fs'

/**
 * Whether a thread is off the processors. Its state is not enough: a thread says that it sleeps a
 * moment before it does, and may be preempted there with a wakeup pending. For `syscall` the kernel
 * makes sure.
 */
function isOff(thread: string): boolean {
  return readFileSync(`${thread}/syscall`, 'latin1') !== 'running\n'
}

/** What a look sees of a thread that sleeps; undefined if it runs. */
function look(thread: string): string | undefined {
  const stat = readFileSync(`${thread}/stat`, 'latin1')
  // The name of the program, in parentheses, may hold anything.
  if (stat[stat.lastIndexOf(')') + 2] !== 'S') return undefined
  // Time on a processor, time waiting for one, and how often it was put on one.
  return readFileSync(`${thread}/schedstat`, 'latin1')
}

function threadsOf(processes: readonly number[]): readonly string[] {
  return processes.flatMap((process) => readdirSync(`/proc/${process}/task`).map((id) => `/proc/${process}/task/${id}`))
}

/**
 * Whether all threads of some processes sleep. False too if a thread or process has just ended.
 *
 * @param wakesItself whether a thread that sleeps now will wake by itself
 */
export function areIdle(processes: readonly number[], wakesItself: () => boolean): boolean {
  try {
    const threads = threadsOf(processes)
    const seen: string[] = []
    for (const thread of threads) {
      const first = isOff(thread) ? look(thread) : undefined
      if (first === undefined) return false
      seen.push(first)
    }
    if (wakesItself() || threadsOf(processes).join() !== threads.join()) return false
    return threads.every((thread, at) => look(thread) === seen[at])
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ESRCH') return false
    throw error
  }
}

/** A process and those that it has started. */
export function familyOf(process: number): readonly number[] {
  const family = [process]
  for (const member of family) {
    try {
      for (const thread of readdirSync(`/proc/${member}/task`)) {
        const children = readFileSync(`/proc/${member}/task/${thread}/children`, 'latin1')
        family.push(...children.split(' ').filter(Boolean).map(Number))
      }
    } catch {
      // It has ended.
    }
  }
  return family
}
