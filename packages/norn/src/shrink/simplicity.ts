/**
 * The order of simplicity of choice sequences: shortlex, after Hypothesis (fewer choices, then
 * smaller ones), but faults come first and then schedule choices, as they explain a race. Sequences
 * that compare equal have the same input and equal delays, so different shrinks can end at one minimum.
 */

import { type Choice, isSimplest, rank } from '../contract/choice.ts'
import type { Choices } from '../contract/choices.ts'

/** Negative if `a` is simpler than `b`. */
export function compare(a: Choices, b: Choices): number {
  return compareDrawn(a, b) || a.length - b.length
}

/** The same without the length of the tape. */
export function compareDrawn(a: Choices, b: Choices): number {
  const order =
    countNonSimplest(a.fault) - countNonSimplest(b.fault) ||
    countNonSimplest(a.schedule) - countNonSimplest(b.schedule) ||
    compareInputs(a.input, b.input)
  if (order !== 0) return order
  const [one, other] = [sumOfRanks(a), sumOfRanks(b)]
  if (one !== other) return one < other ? -1 : 1
  return sumOfPlaces(a) - sumOfPlaces(b)
}

/** Of delays of one size, that of the earlier operation is simpler. */
function sumOfPlaces({ schedule, fault }: Choices): number {
  const places = (lane: readonly Choice[]) =>
    lane.reduce((sum, choice, place) => (isSimplest(choice) ? sum : sum + place), 0)
  return places(schedule) + places(fault)
}

/** The order of inputs, or of parts of them: fewer choices, then the first choice that differs. */
export function compareInputs(a: readonly Choice[], b: readonly Choice[]): number {
  if (a.length !== b.length) return a.length - b.length
  for (let i = 0; i < a.length; i++) {
    const difference = rankOf(a[i]!) - rankOf(b[i]!)
    if (difference !== 0n) return difference < 0n ? -1 : 1
  }
  return 0
}

/** The number of choices that are not the simplest of their range, without omissions. */
export function countNonSimplest(choices: readonly Choice[]): number {
  return choices.filter((choice) => !isSimplest(choice) && choice.kind !== 'omission').length
}

export function sumOfRanks({ schedule, fault }: Choices): bigint {
  return [...schedule, ...fault].reduce((sum, choice) => sum + rankOf(choice), 0n)
}

/** The rank of a choice in its range: 0 is the simplest value. */
export function rankOf(choice: Choice): bigint {
  return rank(choice.min, choice.max, choice.value)
}
