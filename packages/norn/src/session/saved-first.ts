/**
 * Saved failures run before the search: a change most likely breaks again what failed once.
 *
 * One that still fails is the finding. One that passes is reported, and its file stays.
 */

import type { SessionEvent, TriedFailure } from '../contract/events.ts'
import { FailureFileError } from '../storage/failure-file.ts'
import { savedFailures } from '../storage/saved-failures.ts'
import { asFound, exactPlan, savedInputPlan, trySaved } from './follow.ts'
import { explainOrLose } from './lost-execution.ts'
import { comparedWithPassing } from './nearest.ts'
import { reproduce } from './reproduction.ts'
import type { Target } from './targets.ts'

/** Replaying a failure takes one to three executions. */
const MAX_REPLAYED = 50

type TriedFirst = Omit<Extract<SessionEvent, { type: 'tried' }>, 'type'>

/**
 * Runs the saved failures of a property, in the order of their names.
 *
 * @param all go on after the first that fails
 */
export async function trySavedFirst(
  target: Target,
  all: boolean,
  signal: AbortSignal | undefined,
): Promise<TriedFirst> {
  const { file, process } = target
  const { failures, unreadable } = savedFailures(process.start.root, file, target.property.name, MAX_REPLAYED)
  const tried: TriedFailure[] = []
  const problems = [...unreadable]
  for (const kept of failures) {
    if (signal?.aborted) break
    const property = asFound(target.property, kept.saved)
    const { open = [] } = process.start
    const names = open.map(({ name }) => name)
    if ((kept.saved.open ?? []).join() !== names.join()) {
      const call = kept.saved.open === undefined ? 'without --open' : `with --open ${kept.saved.open.join()}`
      problems.push(`${kept.path}: not run, because it was found ${call}`)
      continue
    }
    try {
      if (open.length > 0) {
        const plan = exactPlan(kept.saved, savedInputPlan(kept.path, kept.saved, property))
        const { identity } = kept.saved
        const { reproduced, shown } = await reproduce(() => process.worker(), property, plan, identity, open)
        tried.push({ ...kept, ...shown, exact: false, reproduced })
        if (shown.result.verdict === 'failed' && !all) break
        continue
      }
      const run = await trySaved(kept, property, (plan) => explainOrLose(process.worker(), property, plan))
      const { result, explanation } = await comparedWithPassing(process.worker(), property, run.plan, run)
      const exact = result.traceHash === kept.saved.traceHash && result.traceHash !== ''
      tried.push({ ...kept, result, explanation, exact })
      if (result.verdict === 'failed' && !all) break
    } catch (error) {
      if (!(error instanceof FailureFileError)) throw error
      problems.push(error.message)
    }
  }
  return { tried, problems }
}
