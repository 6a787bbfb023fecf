/** Finds the source lines behind the result of a plan. */
import type { Explanation } from '../contract/explanation.ts'
import type { Plan } from '../contract/plan.ts'
import { withAsyncOrigins } from '../execution/async-origins.ts'
import type { PropertyExecutor } from '../execution/executor.ts'
import type { ExplainedResult } from '../execution/explained-result.ts'
import { frameOf, framesOf, type Positions } from '../execution/frames.ts'
import type { ExecutionReport } from '../world/execution.ts'

/**
 * Explains a plan; a failure without a frame of the program names what started its operation.
 *
 * @param looks whether also for what a body waits for that never settles
 */
export async function explained(
  executor: PropertyExecutor,
  plan: Plan,
  positions: Positions,
  looks: boolean,
): Promise<ExplainedResult> {
  const result = await placed(executor, plan, positions)
  const { failure, report } = result
  if (failure?.kind === 'deadlock' || failure?.kind === 'no progress')
    return looks ? waiting(executor, plan, result) : result
  if (failure === undefined || failure.frames.length > 0 || report.failedIn === undefined) return result
  const startedAt = report.origins.of(startOf(report.failedIn, report)).map((site) => frameOf(site, positions))
  return startedAt.length === 0 ? result : { ...result, failure: { ...failure, startedAt } }
}

/**
 * What an error follows from that appears in a step. Where something arrived at an end of a connection, that is
 * what this end did last, and not what the other end did.
 */
function startOf(label: string, { traffic }: ExecutionReport): string {
  const arrived = traffic?.transfers.find((each) => each.label === label)
  if (arrived === undefined) return label
  const { connection, to } = arrived
  const sent = traffic!.transfers.findLast((each) => each.connection === connection && each.to !== to)
  return sent?.label ?? traffic!.connections[connection]!.place
}

/** A body that never settled names its waits, if a run that follows promises goes the same way. */
async function waiting(executor: PropertyExecutor, plan: Plan, result: ExplainedResult): Promise<ExplainedResult> {
  const { result: again, waits } = await executor.waits(plan)
  if (waits.length === 0 || again.traceHash !== result.traceHash) return result
  return { ...result, failure: { ...result.failure!, waits } }
}

/**
 * Explains a plan. Where Node starts an operation in a tick of its own, or control was lost in a
 * callback of its own, no frame is the program's; then a second run names what led there.
 */
async function placed(executor: PropertyExecutor, plan: Plan, positions: Positions): Promise<ExplainedResult> {
  const result = await executor.explain(plan)
  const { voided, report } = result
  if (voided === undefined) {
    const isPlaced = report.trace().every(({ event, label }) => event !== 'submit' || report.origins.get(label))
    if (isPlaced) return result
    const { result: again } = await withAsyncOrigins(() => executor.explain(plan))
    return again.traceHash === result.traceHash ? again : result
  }
  if (voided.frames.length > 0) return result
  const origin = report.origins.get(report.trace().at(-1)?.label ?? '')
  if (origin !== undefined) return { ...result, voided: { ...voided, frames: [frameOf(origin, positions)] } }
  const { result: again, stack } = await withAsyncOrigins(() => executor.explain(plan))
  if (again.voided !== undefined && again.voided.frames.length > 0) return { ...result, voided: again.voided }
  return stack === undefined ? result : { ...result, voided: { ...voided, frames: framesOf(stack, positions) } }
}

/** What a person is told of an execution. Finding places takes most of the time: without `positions` there are none. */
export function explanationOf({ report }: ExplainedResult, positions: Positions | undefined): Explanation {
  const origins =
    positions === undefined
      ? []
      : report.origins.entries().map(([label, origin, callers]) => {
          const [frame, ...others] = [origin, ...callers].map((site) => frameOf(site, positions))
          return [label, { ...frame!, callers: others }] as const
        })
  const { notes, traffic, messaging, fileChanges } = report
  return { trace: report.trace(), notes, traffic, messaging, fileChanges, origins: new Map(origins) }
}
