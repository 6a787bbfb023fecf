/**
 * How much of an execution goes into instantiating the modules of its program: measured in a process like the one that
 * runs executions, around the loader's part.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { EXECUTION_FLAGS } from '../../packages/norn/src/process/worker.ts'

export interface Share {
  /** Of an execution's time, from 0 to 1. */
  readonly share: number
  /** Microseconds, each the mean. */
  readonly instantiationUs: number
  readonly executionUs: number
}

export async function instantiationShare(executions: number): Promise<Share> {
  const inside = fileURLToPath(new URL('./inside.ts', import.meta.url))
  const child = fork(inside, [String(executions)], { execArgv: EXECUTION_FLAGS })
  const [share] = (await once(child, 'message')) as [Share]
  child.disconnect()
  return share
}
