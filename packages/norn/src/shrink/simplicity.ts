/**
 * What makes one failing execution simpler than another: the order in which the shrinker descends.
 *
 * Shortlex, after Hypothesis (fewer choices, then smaller ones), with what explains a race put
 * first: the faults and the late operations. A total order on records up to what replays the same;
 * so two ways down can end at one minimum.
 */

import { type Choice, isSimplest, rank } from '../contract/choice.ts'
import type { Choices } from '../contract/choices.ts'
import type { ExecutionResult } from '../contract/execution.ts'

/** What of an execution counts. */
export type Weighed = Pick<ExecutionResult, 'cluster' | 'faults'> & { readonly choices: Choices }

/**
 * Negative if `a` is simpler than `b`: first by faults, as a failure that needs none is nearer to
 * everyday life.
 */
export function compare(a: Choices, b: Choices): number {
  return compareDrawn(a, b) || a.length - b.length
}

/** The same, wherever the tape runs out. */
export function compareDrawn(a: Choices, b: Choices): number {
  const order =
    departures(a.fault) - departures(b.fault) ||
    departures(a.schedule) - departures(b.schedule) ||
    compareInputs(a.input, b.input)
  if (order !== 0) return order
  const [one, other] = [sumOfRanks(a), sumOfRanks(b)]
  return one < other ? -1 : one > other ? 1 : 0
}

/** The same for inputs alone, or for parts of them: fewer choices, then the first that differs. */
export function compareInputs(a: readonly Choice[], b: readonly Choice[]): number {
  if (a.length !== b.length) return a.length - b.length
  for (let i = 0; i < a.length; i++) {
    const difference = rankOf(a[i]!) - rankOf(b[i]!)
    if (difference !== 0n) return difference < 0n ? -1 : 1
  }
  return 0
}

export function departures(choices: readonly Choice[]): number {
  return choices.filter((choice) => !isSimplest(choice)).length
}

export function sumOfRanks({ schedule, fault }: Choices): bigint {
  return [...schedule, ...fault].reduce((sum, choice) => sum + rankOf(choice), 0n)
}

/** How far a choice stands from the natural one of its range. */
export function rankOf(choice: Choice): bigint {
  return rank(choice.min, choice.max, choice.value)
}
