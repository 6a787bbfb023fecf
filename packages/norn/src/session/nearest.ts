/**
 * The nearest passing execution of a failure, in a worker. Time is only a backstop, for bodies that are
 * slow: processor time, so that a busy machine tries the same.
 */
import type { ExecutionResult } from '../contract/execution.ts'
import type { Attempting, Explained, PassingCluster } from '../contract/explanation.ts'
import type { InputPlan, Plan } from '../contract/plan.ts'
import { kindOf } from '../domains/kinds.ts'
import type { ListedProperty } from '../process/protocol.ts'
import { type Worker, WorkerLost } from '../process/worker.ts'
import { effortOf } from '../watch/effort.ts'

/** Processor time for all attempts, and real time, in milliseconds. */
const MAX_CPU_MS = 5000
const MAX_MS = 30_000

/** Explains a failing execution by the nearest passing one, if there is one. */
export async function withNearest<Run extends Explained>(
  worker: Worker,
  property: ListedProperty,
  { input }: Pick<Plan, 'input'>,
  failing: Run,
): Promise<Run> {
  const { result, explanation } = failing
  if (result.verdict !== 'failed' || explanation === undefined) return failing
  const cpuMs = () => effortOf(worker.pid)?.cpuMs ?? 0
  const end = { cpuMs: cpuMs() + MAX_CPU_MS, ms: performance.now() + MAX_MS }
  const isUp = () => cpuMs() >= end.cpuMs || performance.now() >= end.ms
  const nearest = await kindOf(property.kind).nearest(attemptingIn(worker, property, isUp), input, failing)
  return nearest === undefined ? failing : { ...failing, explanation: { ...explanation, nearest } }
}

/** The passing execution that only pages show beside a failure, if its kind has one. */
export async function passingBeside(
  worker: Worker,
  property: ListedProperty,
  input: InputPlan,
  failing: ExecutionResult,
): Promise<PassingCluster | undefined> {
  return kindOf(property.kind).besideInPages?.(attemptingIn(worker, property), input, failing)
}

/** @param isUp whether no more may be tried */
function attemptingIn(worker: Worker, property: ListedProperty, isUp = () => false): Attempting {
  let isLost = false
  const attempt = async <Result>(run: () => Promise<Result>): Promise<Result | undefined> => {
    if (isLost || isUp()) return undefined
    try {
      return await run()
    } catch (error) {
      if (!(error instanceof WorkerLost)) throw error
      isLost = true
      return undefined
    }
  }
  return {
    execute: (plan) => attempt(() => worker.execute(property, plan)),
    explain: (plan) => attempt(() => worker.explain(property, plan)),
  }
}
