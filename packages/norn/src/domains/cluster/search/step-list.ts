/**
 * The schedule of a cluster as a list of step numbers, for code that does not know what they mean.
 *
 * Latencies belong to operations and keep their labels; steps belong to their positions, and their
 * labels are ordinals, so deleting one shifts all later ones. Here it suffices that 0 is the default
 * step, that smaller numbers are simpler, and that equal bounds mean the same numbering.
 */
import { type Choice, isSimplest } from '../../../contract/choice.ts'
import type { Choices } from '../../../contract/choices.ts'

export function isStep({ kind }: Choice): boolean {
  return kind === 'step'
}

/** The index of a step in the schedule, which is its label. */
export function ordinalOf(step: Choice): number {
  return Number(step.label)
}

/** The numbers of the steps, without the default steps at the end. */
export function stepsOf({ schedule }: Pick<Choices, 'schedule'>): number[] {
  const steps: number[] = []
  for (const choice of schedule) {
    if (!isStep(choice) || isSimplest(choice)) continue
    const ordinal = ordinalOf(choice)
    while (steps.length < ordinal) steps.push(0)
    steps[ordinal] = Number(choice.value)
  }
  return steps
}

/** Replaces the steps. */
export function withSteps<Some extends Pick<Choices, 'schedule'>>(choices: Some, steps: readonly number[]): Some {
  const max = Number(choices.schedule.find(isStep)?.max ?? 0)
  const others = choices.schedule.filter((choice) => !isStep(choice))
  const chosen = steps.flatMap((value, ordinal) =>
    value === 0 ? [] : [{ kind: 'step' as const, label: String(ordinal), min: 0, max, value }],
  )
  return { ...choices, schedule: [...others, ...chosen] }
}

/**
 * Whether the numbers of steps have changed their meaning, because the cluster has other nodes,
 * faults or counts than when the steps were recorded. (Reordered nodes are not noticed.)
 */
export function isRenumbered(recorded: Pick<Choices, 'schedule'>, now: Pick<Choices, 'schedule'>): boolean {
  const [then, today] = [recorded.schedule.find(isStep), now.schedule.find(isStep)]
  return then !== undefined && today !== undefined && then.max !== today.max
}
