/**
 * The nearest passing execution of a failure: the one change of a choice that makes it pass, and
 * among those that do, the one that parts from the failure last. Where the two part is what decides.
 *
 * Changes are tried in this order: a delay or a fault lowered or dropped; a choice of the input
 * changed; a delay added. How many are tried depends on the length of the trace; real time is only a
 * backstop, for bodies that are slow.
 */

import { type Choice, clamp, isSimplest, LANES, type Lane, simplestValue } from '../contract/choice.ts'
import { type Choices, UNBOUNDED } from '../contract/choices.ts'
import type { InputPlan, Plan } from '../contract/plan.ts'
import type { ListedProperty, PassingExecution } from '../process/protocol.ts'
import { type Worker, WorkerLost } from '../process/worker.ts'
import { differenceOf, stepsOf } from '../world/trace-difference.ts'
import type { Explained } from './lost-execution.ts'

/** Executions that are tried at most, and events of their traces together. */
const MAX_TRIED = 40
const MAX_EVENTS = 200_000
/** Real time for all of them, in milliseconds. */
const MAX_MS = 5000

/** Explains a failing execution by the nearest passing one, if there is one. */
export async function withNearest<Run extends Explained>(
  worker: Worker,
  property: ListedProperty,
  { input }: Pick<Plan, 'input'>,
  failing: Run,
): Promise<Run> {
  const { result, explanation } = failing
  if (result.verdict !== 'failed' || result.cluster !== undefined || result.choices === undefined) return failing
  if (explanation === undefined || explanation.trace.length === 0) return failing
  const nearest = await nearestPassing(failing, input, (plan) => worker.explain(property, plan))
  return nearest === undefined ? failing : { ...failing, explanation: { ...explanation, nearest } }
}

async function nearestPassing(
  { result, explanation }: Explained,
  input: InputPlan,
  run: (plan: Plan) => Promise<Explained>,
): Promise<PassingExecution | undefined> {
  const choices: Choices = { ...result.choices!, length: UNBOUNDED }
  const steps = stepsOf(explanation!)
  let left = Math.min(MAX_TRIED, Math.floor(MAX_EVENTS / steps.length))
  let isLost = false
  const end = performance.now() + MAX_MS
  const explain = async (from: InputPlan, changed: Choices): Promise<Explained | undefined> => {
    if (isLost || left-- <= 0 || performance.now() >= end) return undefined
    try {
      return await run({ input: from, choices: { from: 'record', choices: changed } })
    } catch (error) {
      if (!(error instanceof WorkerLost)) throw error
      isLost = true
      return undefined
    }
  }
  const nearestOf = async (changes: Iterable<Change>, from: InputPlan): Promise<PassingExecution | undefined> => {
    let nearest: (PassingExecution & { readonly parting: number; readonly differing: number }) | undefined
    for (const { lane, index, value } of changes) {
      const choice = choices[lane][index]!
      const explained = await explain(from, { ...choices, [lane]: choices[lane].with(index, { ...choice, value }) })
      if (explained === undefined) break
      const { verdict, discarded, inputText = '' } = explained.result
      if (verdict !== 'passed' || discarded) continue
      const difference = differenceOf(steps, stepsOf(explained.explanation!))
      if (difference === undefined) continue
      const { parting } = difference
      const differing = difference.added.size + difference.moved.size
      const isNearer =
        nearest === undefined ||
        parting > nearest.parting ||
        (parting === nearest.parting && differing < nearest.differing)
      if (!isNearer) continue
      const { trace, notes, origins } = explained.explanation!
      nearest = { change: { lane, choice, value }, inputText, trace, notes, origins, parting, differing }
    }
    return nearest
  }
  const departing = LANES.filter((lane) => lane !== 'input').flatMap((lane) => lowered(choices[lane], lane))
  const eased = await nearestOf(departing, input)
  if (eased !== undefined) return eased
  if (choices.input.length > 0) {
    // The input as its arbitraries make it, if they still do.
    const same = await explain({ from: 'tape' }, choices)
    if (same?.result.traceHash === result.traceHash) {
      const other = await nearestOf(changedInputs(choices.input), { from: 'tape' })
      if (other !== undefined) return other
    }
  }
  return nearestOf(delayed(choices.schedule), input)
}

interface Change {
  readonly lane: Lane
  readonly index: number
  readonly value: number | bigint
}

/** Each choice that is not the simplest: one less, then the simplest. */
function lowered(choices: readonly Choice[], lane: Lane): Change[] {
  return choices.flatMap((choice, index) => {
    if (isSimplest(choice)) return []
    const least = simplestValue(choice.min, choice.max)
    const less = moved(choice, -1)
    return [less, ...(less === least ? [] : [least])].map((value) => ({ lane, index, value }))
  })
}

/** Simpler inputs first, then those with one more. */
function changedInputs(choices: readonly Choice[]): Change[] {
  const raised = choices.flatMap((choice, index): Change[] => {
    const more = moved(choice, 1)
    return more === choice.value ? [] : [{ lane: 'input', index, value: more }]
  })
  return [...lowered(choices, 'input'), ...raised]
}

/** The value of a choice moved away from the simplest one, or towards it, within its bounds. */
function moved({ min, max, value }: Choice, by: 1 | -1): number | bigint {
  const isBelow = value < simplestValue(min, max)
  const to = BigInt(value) + BigInt(isBelow ? -by : by)
  const within = clamp(to, BigInt(min), BigInt(max))
  return typeof value === 'bigint' ? within : Number(within)
}

/** Each delay of 0, as long as it can be. */
function delayed(choices: readonly Choice[]): Change[] {
  return choices.flatMap((choice, index) =>
    choice.kind === 'latency' && isSimplest(choice) ? [{ lane: 'schedule', index, value: choice.max }] : [],
  )
}
