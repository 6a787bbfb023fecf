/** A few processes that run trials: each trial depends on its options alone, so which process runs it does not matter. */
import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { TrialOptions, TrialResult } from './trial.ts'

/**
 * The results of trials, in the order of the trials; each is told of as it comes.
 *
 * @param jobs processes at a time
 */
export async function runTrials(trials: readonly TrialOptions[], jobs: number): Promise<TrialResult[]> {
  const results: TrialResult[] = []
  let next = 0
  const work = async () => {
    const child = fork(fileURLToPath(new URL('./trial-child.ts', import.meta.url)))
    try {
      for (let at = next++; at < trials.length; at = next++) results[at] = await ask(child, trials[at]!)
    } finally {
      child.kill()
    }
  }
  await Promise.all(Array.from({ length: Math.min(jobs, trials.length) }, work))
  return results
}

function ask(child: ChildProcess, trial: TrialOptions): Promise<TrialResult> {
  return new Promise((resolve, reject) => {
    const died = (code: number | null) => reject(new Error(`a process of the pool ended with ${code} in a trial`))
    child.once('exit', died)
    child.once('message', (result: TrialResult) => {
      child.off('exit', died)
      resolve(result)
    })
    child.send(trial)
  })
}
