/**
 * The schedule of a recorded execution as mutators see it: the numbers of its steps, in order,
 * apart from all else that stands in the lane of schedules (the seed of chance).
 *
 * A step is labelled by its ordinal, so whoever inserts or deletes one moves all that come after
 * it: here a schedule is a list, and labels are made when it becomes choices again.
 *
 * Invariant: `choicesOf` is the inverse of `scheduleOf`, but for the order of the lane, which
 * replaying does not ask for.
 */
import type { Choice } from '../../contract/choice.ts'
import type { StepCodes } from '../steps.ts'

export interface Schedule {
  /** The number of each scheduled step: see cluster/steps.ts. */
  readonly steps: readonly number[]
  /** The choices of the lane that are no steps. */
  readonly others: readonly Choice[]
}

/** The labels of the first steps are made once. */
const LABELS = Array.from({ length: 1024 }, (_, ordinal) => String(ordinal))

export function scheduleOf(lane: readonly Choice[]): Schedule {
  const steps: number[] = []
  const others: Choice[] = []
  for (const choice of lane) {
    // Steps are drawn in the order of their ordinals, so nearly every label is the one that is
    // expected.
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
 * The steps that were possible, and for each number of steps how many of them are left of the first
 * so many. A step that is not possible is passed over, so that without it the execution is the
 * same; what is left of a schedule is what matters.
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
