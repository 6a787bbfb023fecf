/**
 * The processor time of a process with all that it starts, as Linux tells it; undefined elsewhere.
 *
 * A process that ends is counted by the one that waits for it. Norn ends its processes without waiting, so what
 * those had used is the most that was seen.
 */
import { readdirSync, readFileSync } from 'node:fs'

const LOOK_MS = 100
/** Linux counts in hundredths of a second. */
const TICK_MS = 10

/** Watches a process; the result ends that, and gives its processor time in milliseconds. */
export function watchProcessorTime(pid: number): () => number | undefined {
  const before = usedBy('self').waitedMs
  let most = 0
  const look = () => {
    most = Math.max(most, usedByTree(`${pid}`))
  }
  const timer = setInterval(look, LOOK_MS)
  return () => {
    clearInterval(timer)
    return before === undefined ? undefined : Math.max(most, usedBy('self').waitedMs! - before)
  }
}

function usedByTree(pid: string): number {
  const { ownMs = 0, waitedMs = 0 } = usedBy(pid)
  return childrenOf(pid).reduce((sum, child) => sum + usedByTree(child), ownMs + waitedMs)
}

/** Follows proc_pid_stat(5). The name of the program, in parentheses, may hold anything. */
function usedBy(pid: string): { readonly ownMs?: number; readonly waitedMs?: number } {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const ticks = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 15)
      .map(Number)
    const [user, system, waitedUser, waitedSystem] = ticks as [number, number, number, number]
    return { ownMs: (user + system) * TICK_MS, waitedMs: (waitedUser + waitedSystem) * TICK_MS }
  } catch {
    return {}
  }
}

function childrenOf(pid: string): readonly string[] {
  try {
    const tasks = readdirSync(`/proc/${pid}/task`)
    return tasks
      .flatMap((task) => readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').trim().split(' '))
      .filter((child) => child !== '')
  } catch {
    return []
  }
}
