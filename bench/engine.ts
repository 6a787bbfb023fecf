/** The internals of norn that suites use in the process that drives a campaign. */
import type { ExploreOptions, ListedProperty } from '../packages/norn/src/process/protocol.ts'
import type { Worker } from '../packages/norn/src/process/worker.ts'

export type { FoundFailure, SessionEvent } from '../packages/norn/src/contract/events.ts'
export { fingerprint } from '../packages/norn/src/contract/fingerprint.ts'
export { DEFAULT_PLAN, inputOf, type Plan } from '../packages/norn/src/contract/plan.ts'
export { EVERYTHING, type Guide, NOTHING } from '../packages/norn/src/options/guide.ts'
export type { ExploreOptions, ListedProperty } from '../packages/norn/src/process/protocol.ts'
export {
  EXECUTION_FLAGS,
  RequestRefused,
  Worker,
  WorkerLost,
  type WorkerOptions,
} from '../packages/norn/src/process/worker.ts'
export { sentenceOf } from '../packages/norn/src/report/sentence.ts'
export { comparedWithPassing } from '../packages/norn/src/session/nearest.ts'
export { type Chance, chance } from '../packages/norn/src/tape/chance.ts'

/** A campaign bounded by executions only, without shrinking. */
export const CAMPAIGN = {
  seed: 1,
  strategy: 'portfolio',
  timeMs: 1e9,
  keepGoing: true,
  shrink: false,
  skip: 0,
} as const satisfies Partial<ExploreOptions>

/** @throws if an execution does not pass */
export async function explorePassing(
  worker: Worker,
  property: ListedProperty,
  options: Pick<ExploreOptions, 'runs'> & Partial<ExploreOptions>,
): Promise<void> {
  const { passed } = await worker.explore(property, { ...CAMPAIGN, ...options }, () => {})
  if (passed !== options.runs) {
    throw new Error(`${options.runs - passed} of ${options.runs} executions of '${property.name}' did not pass`)
  }
}
