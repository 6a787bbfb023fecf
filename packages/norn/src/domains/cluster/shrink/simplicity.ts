/** The order in which the shrinker descends for clusters: what happened counts before the choices. */

import { isOmission } from '../../../cluster/omissions.ts'
import { isSimplest } from '../../../contract/choice.ts'
import type { Choices } from '../../../contract/choices.ts'
import type { ExecutionResult } from '../../../contract/execution.ts'
import { compareInputs, countNonSimplest, sumOfRanks } from '../../../shrink/simplicity.ts'
import { isStep, ordinalOf } from '../search/step-list.ts'

type Weighed = Pick<ExecutionResult, 'cluster' | 'faults'> & { readonly choices: Choices }

/**
 * Negative if `a` is simpler than `b`: fewer steps other than the simplest, then fewer faults, then
 * a simpler workload, then a shorter log, then simpler steps, then earlier ones. The length of the
 * tape does not count. Faults come second: one that makes many steps needless explains more.
 */
export function compareClusters(a: Weighed, b: Weighed): number {
  const order =
    countNonSimplest(a.choices.schedule) - countNonSimplest(b.choices.schedule) ||
    (a.faults?.length ?? 0) - (b.faults?.length ?? 0) ||
    compareInputs(a.choices.input, b.choices.input) ||
    countOmissions(b.choices) - countOmissions(a.choices) ||
    a.cluster!.log.length - b.cluster!.log.length
  if (order !== 0) return order
  const [one, other] = [sumOfRanks(a.choices), sumOfRanks(b.choices)]
  if (one !== other) return one < other ? -1 : 1
  return sumOfOrdinals(a.choices) - sumOfOrdinals(b.choices)
}

function countOmissions({ schedule }: Choices): number {
  return schedule.filter(isOmission).length
}

function sumOfOrdinals({ schedule }: Choices): number {
  return schedule.reduce((sum, choice) => sum + (isStep(choice) && !isSimplest(choice) ? ordinalOf(choice) : 0), 0)
}
