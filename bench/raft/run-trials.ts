/** Runs trials, each in a process of its own, one after the other. */
import { fork } from 'node:child_process'
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { binaryOf } from '../../systems/etcd-raft/binary.ts'
import { buildHarness } from '../../systems/etcd-raft/harness.ts'
import type { Mutant } from '../../systems/etcd-raft/mutant.ts'
import { isInstalled } from '../../systems/etcd-raft/toolchain.ts'
import { answer } from '../processes.ts'
import { UsageError } from '../suite.ts'
import type { TrialOptions, TrialResult } from './trial.ts'

/**
 * The harness, or that of a mutant, or one with counters, built anew if it is not up to date.
 *
 * @throws UsageError without Go
 */
export function assertBuilt(mutant?: Mutant, isCovered = false): void {
  if (isInstalled()) buildHarness(mutant, isCovered)
  else if (!existsSync(binaryOf(mutant?.name, isCovered)))
    throw new UsageError(
      `Go or the source of the raft library is missing, and the harness is not built. Run \`npm run systems:etcd-raft${mutant === undefined ? '' : ' -- --mutants'}\``,
    )
}

export async function runInProcess(options: TrialOptions): Promise<TrialResult> {
  const child = fork(resolve(import.meta.dirname, 'trial-child.ts'))
  try {
    child.send(options)
    return await answer<TrialResult>(child)
  } finally {
    child.kill()
  }
}

/** Whether a deadline has not come; rounds of trials that began before it are finished. */
export function deadline(timeMs: number | undefined): () => boolean {
  const end = performance.now() + (timeMs ?? Number.POSITIVE_INFINITY)
  return () => performance.now() < end
}
