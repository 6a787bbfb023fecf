/**
 * What further executions say of a failure: the nearest passing one, and whether its input is shown in
 * its plain form. Time is only a backstop, for bodies that are slow: when it is up nothing is said of a
 * passing execution, as which were tried would depend on the machine.
 */
import type { ExecutionResult } from '../contract/execution.ts'
import type { Attempting, Explained, PassingCluster } from '../contract/explanation.ts'
import { fingerprint } from '../contract/fingerprint.ts'
import type { InputPlan, Plan } from '../contract/plan.ts'
import { kindOf } from '../domains/kinds.ts'
import type { ListedProperty } from '../process/protocol.ts'
import { type Worker, WorkerLost } from '../process/worker.ts'
import { effortOf } from '../watch/effort.ts'
import { hasBareObjects, withOrdinaryObjects, withoutMarks } from './plain-input.ts'

/** Processor time for all attempts, and real time, in milliseconds. */
const MAX_CPU_MS = 10_000
const MAX_MS = 120_000

/** Explains a failing execution by the nearest passing one, if there is one; shows its input plainly. */
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
  let isUp = false
  const attempting = attemptingIn(worker, property, () => {
    isUp ||= cpuMs() >= end.cpuMs || performance.now() >= end.ms
    return isUp
  })
  const isPlain = hasBareObjects(result) && (await failsPlainly(attempting, result))
  const shown = isPlain ? { ...failing, result: { ...result, inputText: withoutMarks(result.inputText!) } } : failing
  const nearest = await kindOf(property.kind).nearest(attempting, input, failing)
  if (nearest === undefined || isUp) return shown
  const passing = isPlain ? { ...nearest, inputText: withoutMarks(nearest.inputText) } : nearest
  return { ...shown, explanation: { ...explanation, nearest: passing } }
}

/** Whether the execution fails in the same way with ordinary objects in place of those without a prototype. */
async function failsPlainly(attempting: Attempting, { input, choices, failure }: ExecutionResult): Promise<boolean> {
  const ordinary = input && withOrdinaryObjects(input)
  if (ordinary === undefined || choices === undefined) return false
  const again = await attempting.execute({
    input: { from: 'saved', input: ordinary },
    choices: { from: 'record', choices },
  })
  return again?.failure !== undefined && fingerprint(again.failure) === fingerprint(failure!)
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
