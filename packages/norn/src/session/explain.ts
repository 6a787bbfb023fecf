/**
 * Running one execution whatever it does to its process: one that is lost is a result like any other.
 */
import type { ExecutionResult } from '../contract/execution.ts'
import type { Plan } from '../contract/plan.ts'
import type { Explanation, ListedProperty } from '../process/protocol.ts'
import { type Worker, WorkerLost } from '../process/worker.ts'
import { lossResult } from './lost-execution.ts'

export interface Explained {
  readonly result: ExecutionResult
  /** Undefined where the execution took its process with it; the worker is then of no more use. */
  readonly explanation: Explanation | undefined
}

/** As `Worker.execute`. */
export async function executeOrLose(worker: Worker, property: ListedProperty, plan: Plan): Promise<ExecutionResult> {
  try {
    return await worker.execute(property, plan)
  } catch (error) {
    if (!(error instanceof WorkerLost)) throw error
    return lossResult(error)
  }
}

/** As `Worker.explain`; a process that is lost before any execution began is an error. */
export async function explainOrLose(
  worker: Worker,
  property: ListedProperty,
  plan: Plan,
  inspect = false,
): Promise<Explained> {
  try {
    return await worker.explain(property, plan, inspect)
  } catch (error) {
    if (!(error instanceof WorkerLost) || error.flight === undefined) throw error
    return { result: lossResult(error), explanation: undefined }
  }
}
