/**
 * A pool of processes that run trials. A trial depends on its options alone, not on the process.
 */
import { fork } from 'node:child_process'
import { resolve } from 'node:path'
import { answer } from '../processes.ts'
import type { TrialOptions, TrialResult } from './trial.ts'

/**
 * The results of trials, in the order of the trials.
 *
 * @param jobs processes at a time
 */
export async function runTrials(trials: readonly TrialOptions[], jobs: number): Promise<TrialResult[]> {
  const results: TrialResult[] = []
  let next = 0
  const work = async () => {
    const child = fork(resolve(import.meta.dirname, 'trial-child.ts'))
    try {
      for (let at = next++; at < trials.length; at = next++) {
        child.send(trials[at]!)
        results[at] = await answer<TrialResult>(child)
      }
    } finally {
      child.kill()
    }
  }
  await Promise.all(Array.from({ length: Math.min(jobs, trials.length) }, work))
  return results
}
