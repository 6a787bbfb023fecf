/**
 * The nearest passing execution of a cluster's failure: the one without a single departure from the
 * default schedule, of those that pass the one that lacks the latest. So it parts last.
 *
 * A failure under the default schedule has no departure to drop, and no such execution.
 */
import { isDeepStrictEqual } from 'node:util'
import { isSimplest, simplestValue } from '../contract/choice.ts'
import { UNBOUNDED } from '../contract/choices.ts'
import type { ClusterRecord, LogEntry } from '../contract/cluster-record.ts'
import type { ExecutionResult } from '../contract/execution.ts'
import type { Plan } from '../contract/plan.ts'
import { isStep, ordinalOf } from '../domains/cluster/search/step-list.ts'
import type { ListedProperty } from '../process/protocol.ts'
import { type Worker, WorkerLost } from '../process/worker.ts'

/** Departures that are dropped at most. */
const MAX_TRIED = 24

export interface PassingCluster {
  /** The step that it has by default instead. */
  readonly dropped: { readonly step: number; readonly text: string }
  readonly record: ClusterRecord
  /** The index of the first entry of the log at which the two differ, in both. */
  readonly parting: number
}

/** @param failing its result, of an explained run */
export async function passingCluster(
  worker: Pick<Worker, 'execute' | 'explain'>,
  property: ListedProperty,
  input: Plan['input'],
  { cluster, choices }: ExecutionResult,
): Promise<PassingCluster | undefined> {
  if (cluster === undefined || choices === undefined) return undefined
  const departures = [...choices.schedule.entries()].filter(([, choice]) => isStep(choice) && !isSimplest(choice))
  try {
    for (const [index, choice] of departures.reverse().slice(0, MAX_TRIED)) {
      const value = simplestValue(choice.min, choice.max)
      const schedule = choices.schedule.with(index, { ...choice, value })
      const plan: Plan = {
        input,
        choices: { from: 'record', choices: { ...choices, schedule, length: UNBOUNDED } },
      }
      if (!isPass(await worker.execute(property, plan))) continue
      const { result } = await worker.explain(property, plan)
      if (!isPass(result) || result.cluster === undefined) continue
      const step = ordinalOf(choice)
      const text = cluster.steps.find(([ordinal]) => ordinal === step)?.[1] ?? ''
      return { dropped: { step, text }, record: result.cluster, parting: partingOf(cluster.log, result.cluster.log) }
    }
  } catch (error) {
    if (!(error instanceof WorkerLost)) throw error
  }
  return undefined
}

function isPass({ verdict, discarded }: ExecutionResult): boolean {
  return verdict === 'passed' && discarded !== true
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
