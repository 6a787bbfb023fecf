/**
 * Saved failures are tried before anything new is searched for: what failed once is what a change most likely broke again,
 * or what nobody has looked at yet.
 *
 * One that still fails is the finding. One that passes now is told of in a line, and its file left where it is.
 */
import type { ExecutionResult } from '../contract/execution.ts'
import type { Explanation } from '../process/protocol.ts'
import { Worker } from '../process/worker.ts'
import { FailureFileError } from '../storage/failure-file.ts'
import { type KeptFailure, savedFailures } from '../storage/saved-failures.ts'
import { explainOrLose } from './explain.ts'
import { trySaved } from './follow.ts'
import { isLoss } from './lost-execution.ts'
import type { Target } from './targets.ts'

/** A saved failure as it is today. */
export interface TriedFailure extends KeptFailure {
  readonly result: ExecutionResult
  readonly explanation: Explanation | undefined
  /** Whether it is the same execution, step by step. */
  readonly exact: boolean
}

export interface TriedFirst {
  readonly tried: readonly TriedFailure[]
  /** What is wrong with files that may be the property's, each in one line. */
  readonly problems: readonly string[]
}

/**
 * Tries the saved failures of a property, in the order of their names.
 *
 * @param all whether to go on after the first that fails
 */
export async function trySavedFirst({ file, property, start }: Target, all: boolean, signal: AbortSignal) {
  const { failures, unreadable } = savedFailures(start.root, file, property.name)
  const tried: TriedFailure[] = []
  const problems = [...unreadable]
  let worker: Worker | undefined
  try {
    for (const kept of failures) {
      if (signal.aborted) break
      const running = (worker ??= new Worker(start))
      try {
        const { result, explanation } = await trySaved(kept, property, (plan) => explainOrLose(running, property, plan))
        const exact = result.traceHash === kept.saved.traceHash && result.traceHash !== ''
        tried.push({ ...kept, result, explanation, exact })
        if (result.verdict === 'failed' && !all) break
        if (result.failure === undefined || !isLoss(result.failure.kind)) continue
        worker.close()
        worker = undefined
      } catch (error) {
        if (!(error instanceof FailureFileError)) throw error
        problems.push(error.message)
      }
    }
  } finally {
    worker?.close()
  }
  return { tried, problems } satisfies TriedFirst
}
