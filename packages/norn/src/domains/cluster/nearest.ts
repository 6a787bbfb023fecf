/**
 * The nearest passing execution of a cluster's failure: the one without a single departure from the
 * default schedule, of those that pass the one that lacks the latest. So it parts last.
 *
 * A failure under the default schedule has no departure to drop, and no such execution.
 */
import { isDeepStrictEqual } from 'node:util'
import { isSimplest, simplestValue } from '../../contract/choice.ts'
import { UNBOUNDED } from '../../contract/choices.ts'
import type { LogEntry } from '../../contract/cluster-record.ts'
import type { ExecutionResult } from '../../contract/execution.ts'
import type { Attempting, PassingCluster } from '../../contract/explanation.ts'
import type { InputPlan, Plan } from '../../contract/plan.ts'
import { isStep, ordinalOf } from './search/step-list.ts'

/** Departures that are dropped at most. */
const MAX_TRIED = 24

/** @param failing its result, of an explained run */
export async function passingCluster(
  attempting: Attempting,
  input: InputPlan,
  { cluster, choices }: ExecutionResult,
): Promise<PassingCluster | undefined> {
  if (cluster === undefined || choices === undefined) return undefined
  const departures = [...choices.schedule.entries()].filter(([, choice]) => isStep(choice) && !isSimplest(choice))
  for (const [index, choice] of departures.reverse().slice(0, MAX_TRIED)) {
    const value = simplestValue(choice.min, choice.max)
    const schedule = choices.schedule.with(index, { ...choice, value })
    const plan: Plan = { input, choices: { from: 'record', choices: { ...choices, schedule, length: UNBOUNDED } } }
    if (!isPass(await attempting.execute(plan))) continue
    const passing = (await attempting.explain(plan))?.result
    if (!isPass(passing) || passing?.cluster === undefined) continue
    const step = ordinalOf(choice)
    const text = cluster.steps.find(([ordinal]) => ordinal === step)?.[1] ?? ''
    return { dropped: { step, text }, record: passing.cluster, parting: partingOf(cluster.log, passing.cluster.log) }
  }
  return undefined
}

function isPass(result: ExecutionResult | undefined): boolean {
  return result?.verdict === 'passed' && result.discarded !== true
}

/** Times do not count, as in the traces of programs. */
function partingOf(one: readonly LogEntry[], other: readonly LogEntry[]): number {
  const what = ({ kind, node, peer, name, id, data }: LogEntry) => [kind, node, peer, name, id, data]
  const at = one.findIndex((entry, index) => {
    const there = other[index]
    return there === undefined || !isDeepStrictEqual(what(entry), what(there))
  })
  return at < 0 ? one.length : at
}
