/**
 * The order in which the shrinker descends for clusters: by what happened before what was chosen.
 */
import { isSimplest } from '../../contract/choice.ts'
import type { Choices } from '../../contract/choices.ts'
import { compareInputs, departures, sumOfRanks, type Weighed } from '../../shrink/simplicity.ts'
import { isStep } from '../search/step-list.ts'

/**
 * The same for a cluster, wherever the tape runs out: fewer faults, then fewer steps that are not
 * natural, then a simpler workload, then less that happens, then simpler steps, then earlier ones.
 */
export function compareClusters(a: Weighed, b: Weighed): number {
  const order =
    (a.faults?.length ?? 0) - (b.faults?.length ?? 0) ||
    departures(a.choices.schedule) - departures(b.choices.schedule) ||
    compareInputs(a.choices.input, b.choices.input) ||
    a.cluster!.log.length - b.cluster!.log.length
  if (order !== 0) return order
  const [one, other] = [sumOfRanks(a.choices), sumOfRanks(b.choices)]
  if (one !== other) return one < other ? -1 : 1
  return sumOfOrdinals(a.choices) - sumOfOrdinals(b.choices)
}

function sumOfOrdinals({ schedule }: Choices): number {
  return schedule.reduce((sum, choice) => sum + (isStep(choice) && !isSimplest(choice) ? Number(choice.label) : 0), 0)
}
