/**
 * The schedule of a recorded execution as mutators see it: a list of step numbers, apart from the
 * other choices of the schedule lane (the seed of randomness).
 *
 * A step's label is its ordinal, so inserting or deleting one renames all later steps. Labels are
 * made when the list becomes choices again.
 *
 * Invariant: `choicesOf` is the inverse of `scheduleOf`, except for the order of the lane, which
 * does not matter to a replay.
 */

import type { StepCodes } from '../../../cluster/steps.ts'
import type { Choice } from '../../../contract/choice.ts'

export interface Schedule {
  /** The numbers of the scheduled steps: see cluster/steps.ts. */
  readonly steps: readonly number[]
  /** The choices of the lane that are not steps. */
  readonly others: readonly Choice[]
}

const LABELS = Array.from({ length: 1024 }, (_, ordinal) => String(ordinal))

export function scheduleOf(lane: readonly Choice[]): Schedule {
  const steps: number[] = []
  const others: Choice[] = []
  for (const choice of lane) {
    // Steps are drawn in the order of their ordinals.
    if (choice.kind === 'step' && choice.label === labelOf(steps.length)) steps.push(Number(choice.value))
    else if (choice.kind !== 'step') others.push(choice)
  }
  return { steps, others }
}

export function choicesOf({ steps, others }: Schedule, { max }: StepCodes): Choice[] {
  const choices: Choice[] = [...others]
  for (let at = 0; at < steps.length; at++) choices.push(stepChoice(at, steps[at]!, max))
  return choices
}

export function stepChoice(ordinal: number, value: number, max: number): Choice {
  return { kind: 'step', label: labelOf(ordinal), min: 0, max, value }
}

/**
 * The steps that were possible; without the others the execution is the same. `left` gives the
 * number of possible steps among the first `count`.
 */
export function performedOnly(
  steps: readonly number[],
  performed: readonly boolean[],
): { readonly steps: readonly number[]; readonly left: (count: number) => number } {
  if (!performed.includes(false)) return { steps, left: (count) => count }
  const before: number[] = [0]
  const kept: number[] = []
  for (let at = 0; at < steps.length; at++) {
    if (performed[at] !== false) kept.push(steps[at]!)
    before.push(kept.length)
  }
  return { steps: kept, left: (count) => before[Math.min(count, steps.length)]! }
}

function labelOf(ordinal: number): string {
  return LABELS[ordinal] ?? String(ordinal)
}
