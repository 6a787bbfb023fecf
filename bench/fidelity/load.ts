/** Stock Node shows its rarer orders when other processes take the processor away. */
import { type ChildProcess, spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'

/** One in so many runs under load, which takes several times as long. */
const LOADED_SHARE = 4

/**
 * Runs an action `count` times, the last fourth of them beside processes that keep all cores busy.
 */
export async function withAndWithoutLoad(count: number, action: (index: number) => Promise<void>): Promise<void> {
  const unloaded = count - Math.ceil(count / LOADED_SHARE)
  for (let index = 0; index < unloaded; index++) await action(index)
  const siblings = busySiblings()
  try {
    for (let index = unloaded; index < count; index++) await action(index)
  } finally {
    for (const sibling of siblings) sibling.kill('SIGKILL')
  }
}

/** They end with their input, so that none outlives this process. */
function busySiblings(): ChildProcess[] {
  const busy =
    "process.stdin.resume().on('end', () => process.exit()); (function spin() { for (let i = 0; i < 1e8; i++); setImmediate(spin) })()"
  return Array.from({ length: availableParallelism() }, () =>
    spawn(process.execPath, ['-e', busy], { stdio: ['pipe', 'ignore', 'ignore'] }),
  )
}
