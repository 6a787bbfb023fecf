/**
 * What further executions say of a failure: the nearest passing one, whether its input is shown in its plain
 * form, and which order of two steps decides. Time is only a backstop, for bodies that are slow: when it is
 * up nothing is said of what was tried, as that would depend on the machine.
 */
import { performance } from 'node:perf_hooks'
import type { ExecutionResult } from '../contract/execution.ts'
import type { Attempting, Explained, PassingCluster } from '../contract/explanation.ts'
import { fingerprint } from '../contract/fingerprint.ts'
import type { InputPlan, Plan } from '../contract/plan.ts'
import { kindOf } from '../domains/kinds.ts'
import type { ListedProperty } from '../process/protocol.ts'
import { type Worker, WorkerLost } from '../process/worker.ts'
import { effortOf } from '../watch/effort.ts'
import { hasBareObjects, withOrdinaryObjects, withoutMarks } from './plain-input.ts'

/** Processor time for all attempts at one of these, and real time, in milliseconds. */
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
  const { attempting, isUp } = withinTime(worker, property)
  const isPlain = hasBareObjects(result) && (await failsPlainly(attempting, result))
  const shown = isPlain ? { ...failing, result: { ...result, inputText: withoutMarks(result.inputText!) } } : failing
  const nearest = await kindOf(property.kind).nearest(attempting, input, failing)
  if (nearest === undefined || isUp()) return shown
  const passing = isPlain ? { ...nearest, inputText: withoutMarks(nearest.inputText) } : nearest
  return { ...shown, explanation: { ...explanation, nearest: passing } }
}

/** Explains a failing execution by the order of two steps that decides, if there is one. */
async function withDeciding<Run extends Explained>(
  worker: Worker,
  property: ListedProperty,
  { input }: Pick<Plan, 'input'>,
  failing: Run,
): Promise<Run> {
  const { result, explanation } = failing
  if (result.verdict !== 'failed' || explanation === undefined) return failing
  const { attempting, isUp } = withinTime(worker, property)
  const { deciding, around } = await kindOf(property.kind).deciding(attempting, input, failing)
  if (isUp()) return failing
  const tried = { ...failing, explanation: { ...explanation, around } }
  if (deciding === undefined) return tried
  const isPlain = !hasBareObjects(result) && deciding.inputText !== undefined
  const shown = isPlain ? { ...deciding, inputText: withoutMarks(deciding.inputText!) } : deciding
  return { ...tried, explanation: { ...tried.explanation, deciding: shown } }
}

/** Explains a failing execution by both. */
export async function comparedWithPassing<Run extends Explained>(
  worker: Worker,
  property: ListedProperty,
  plan: Pick<Plan, 'input'>,
  failing: Run,
): Promise<Run> {
  return withDeciding(worker, property, plan, await withNearest(worker, property, plan, failing))
}

/** Attempts until time is up. */
function withinTime(worker: Worker, property: ListedProperty) {
  const cpuMs = () => effortOf(worker.pid)?.cpuMs ?? 0
  const end = { cpuMs: cpuMs() + MAX_CPU_MS, ms: performance.now() + MAX_MS }
  let up = false
  const isUp = () => {
    up ||= cpuMs() >= end.cpuMs || performance.now() >= end.ms
    return up
  }
  return { attempting: attemptingIn(worker, property, isUp), isUp: () => up }
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
    explain: (plan) => attempt(() => worker.lines(property, plan)),
    steps: (plan) => attempt(() => worker.steps(property, plan)),
  }
}
