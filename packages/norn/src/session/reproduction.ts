/**
 * How often a failure of open mode repeats. Its executions depend on real time and real peers, so
 * none is a function of its choices: one plan runs REPEATS times, and the failures are counted.
 */
import type { Reproduced } from '../contract/events.ts'
import type { Explained } from '../contract/explanation.ts'
import { fingerprint } from '../contract/fingerprint.ts'
import { type OpenAddress, openNames } from '../contract/open-address.ts'
import type { Plan } from '../contract/plan.ts'
import type { ListedProperty } from '../process/protocol.ts'
import type { Worker } from '../process/worker.ts'
import { explainOrLose } from './lost-execution.ts'

const REPEATS = 10

/**
 * Runs a plan REPEATS times.
 *
 * @param worker the process for the next execution: one that was lost serves no more
 * @param identity the fingerprint of the failure
 * @returns also the first execution that failed in the same way; the first of all if none did
 */
export async function reproduce(
  worker: () => Worker,
  property: ListedProperty,
  plan: Plan,
  identity: string,
  open: readonly OpenAddress[],
): Promise<{ readonly reproduced: Reproduced; readonly shown: Explained }> {
  let times = 0
  let shown: Explained | undefined
  for (let run = 0; run < REPEATS; run++) {
    const explained = await explainOrLose(worker(), property, plan)
    const { failure } = explained.result
    const isSame = failure !== undefined && fingerprint(failure) === identity
    if (shown === undefined || (isSame && times === 0)) shown = explained
    if (isSame) times++
  }
  return { reproduced: { times, of: REPEATS, open: openNames(open) }, shown: shown! }
}

/** How often a failure was seen again, in a sentence. */
export function reproducedText({ times, of, open }: Reproduced): string {
  return `reproduced in ${times} of ${of} (open: ${open}, so a replay is not exact)`
}
