/** Failures of ordinary tests: what their process starts with, and the property that runs them. */
import type { SavedFailure } from '../../contract/saved-failure.ts'
import type { ListedProperty } from '../../process/protocol.ts'
import type { WorkerOptions } from '../../process/worker.ts'

/** What the process of a saved failure is started with, beside what all have. */
export function startOf({ testNames }: SavedFailure): Pick<WorkerOptions, 'ordinaryTests'> {
  return testNames === undefined ? {} : { ordinaryTests: true }
}

/** The property that failed; undefined if its file no longer declares it, or one of its tests. */
export function declaredIn(
  listed: readonly ListedProperty[],
  { property, testNames }: SavedFailure,
): ListedProperty | undefined {
  if (testNames === undefined) return listed.find(({ name }) => name === property)
  const found = testNames.map((each) => listed.find(({ name }) => name === each))
  return found.includes(undefined) ? undefined : { ...found[0]!, name: property }
}
