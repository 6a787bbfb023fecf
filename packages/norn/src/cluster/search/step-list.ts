/**
 * The schedule of a cluster as those see it who know nothing of clusters: a list of steps, where
 * each choice says what is done next.
 *
 * Latencies belong to operations and stay with their labels; steps belong to their places, and
 * their labels are ordinals. So to delete one is to move all later ones up. What a number means
 * only `cluster/` knows; here it is enough that 0 does what is due first, that smaller numbers are
 * simpler, and that all are numbers of one list as long as their bounds say.
 */
import { type Choice, isSimplest } from '../../contract/choice.ts'
import type { Choices } from '../../contract/choices.ts'

/** Whether a choice of the schedule is a step: its label is its ordinal. */
export function isStep({ kind }: Choice): boolean {
  return kind === 'step'
}

/** The place of a step in the schedule. The label of a step is its ordinal and nothing else. */
export function ordinalOf(step: Choice): number {
  return Number(step.label)
}

/** The numbers of the steps up to the last one that is not natural; empty if there is none. */
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

/** The same choices with other steps. */
export function withSteps<Some extends Pick<Choices, 'schedule'>>(choices: Some, steps: readonly number[]): Some {
  const max = Number(choices.schedule.find(isStep)?.max ?? 0)
  const others = choices.schedule.filter((choice) => !isStep(choice))
  const chosen = steps.flatMap((value, ordinal) =>
    value === 0 ? [] : [{ kind: 'step' as const, label: String(ordinal), min: 0, max, value }],
  )
  return { ...choices, schedule: [...others, ...chosen] }
}

/**
 * Whether numbers of steps do not mean any more what they meant: the cluster has other nodes,
 * faults or counts than when the steps were recorded. (Nodes that changed places have the same
 * numbers as before.)
 */
export function isRenumbered(recorded: Pick<Choices, 'schedule'>, now: Pick<Choices, 'schedule'>): boolean {
  const [then, today] = [recorded.schedule.find(isStep), now.schedule.find(isStep)]
  return then !== undefined && today !== undefined && then.max !== today.max
}
