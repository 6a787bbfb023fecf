/**
 * A calm machine and a busy one: stock Node shows its rarer orders when others take the processor away.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'

/** One in so many is done under load: it takes several times as long. */
const LOADED_SHARE = 4

/** Does it for each of `count`: as the machine is, and the last fourth beside siblings that take the processor away. */
export async function calmAndLoaded(count: number, action: (index: number) => Promise<void>): Promise<void> {
  const calm = count - Math.ceil(count / LOADED_SHARE)
  for (let index = 0; index < calm; index++) await action(index)
  const siblings = busySiblings()
  try {
    for (let index = calm; index < count; index++) await action(index)
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
