/**
 * A calm machine and a busy one: stock Node shows its rarer orders when others take the processor away.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'

/** Does it twice: as the machine is, then beside siblings that take the processor away. */
export async function calmAndLoaded(action: () => Promise<void>): Promise<void> {
  await action()
  const siblings = busySiblings()
  try {
    await action()
  } finally {
    for (const sibling of siblings) sibling.kill('SIGKILL')
  }
}

/** They end with their input, so that none outlives this process. */
function busySiblings(): ChildProcess[] {
  const busy =
    "process.stdin.resume().on('end', () => process.exit()); (function spin() { for (let i = 0; i < 1e8; i++); setImmediate(spin) })()"
  return Array.from({ length: availableParallelism() + 1 }, () =>
    spawn(process.execPath, ['-e', busy], { stdio: ['pipe', 'ignore', 'ignore'] }),
  )
}
