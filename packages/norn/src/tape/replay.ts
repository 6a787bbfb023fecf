/**
 * Replay: a source that returns recorded choices.
 *
 * The input lane replays by position, because a generator draws in a fixed order. The schedule and
 * fault lanes replay by label, which names an operation, because schedules reorder operations. Over
 * unchanged code this repeats the recorded execution; where code changed or the shrinker dropped
 * choices, the other choices stay with their operations. If changed code gave an operation another
 * label, its alias finds it; if another operation has its label now, only `followBy: 'alias'` does.
 */
import { type Choice, isSimplest, LANES, type Lane } from '../contract/choice.ts'
import type { Choices } from '../contract/choices.ts'
import type { FollowBy } from '../contract/plan.ts'
import type { ChoiceSource } from './tape.ts'

export interface Following {
  /** Recorded choices that are not the simplest. */
  readonly recorded: number
  /** Those of them that the execution drew. */
  followed: number
}

export function replaySource(
  choices: Choices,
  followBy: FollowBy = 'label',
): { source: ChoiceSource; following: Following } {
  const byLabel = lanesOf(choices, (choice) => choice.label)
  const byAlias = lanesOf(choices, (choice) => choice.alias)
  let recorded = 0
  for (const lane of LANES) for (const choice of choices[lane]) if (!isSimplest(choice)) recorded++
  const following: Following = { recorded, followed: 0 }
  const used = new Set<Choice>()
  const find = (lane: Lane, label: string, alias: string | undefined): Choice | undefined => {
    const labelled = byLabel[lane].get(label)
    const same = labelled !== undefined && (followBy === 'label' || labelled.alias === alias)
    if (same) return labelled
    const moved = alias === undefined ? undefined : byAlias[lane].get(alias)
    return moved === undefined || used.has(moved) ? undefined : moved
  }
  const source: ChoiceSource = ({ lane, label, index, alias }) => {
    const choice = lane === 'input' ? choices.input[index] : find(lane, label, alias)
    if (choice === undefined) return undefined
    if (!isSimplest(choice) && !used.has(choice)) following.followed++
    used.add(choice)
    return choice.value
  }
  return { source, following }
}

type ByName = ReadonlyMap<string, Choice>

const NO_NAMES: ByName = new Map()

function lanesOf(choices: Choices, key: (choice: Choice) => string | undefined): Record<Lane, ByName> {
  return { input: NO_NAMES, schedule: named(choices.schedule, key), fault: named(choices.fault, key) }
}

function named(choices: readonly Choice[], key: (choice: Choice) => string | undefined): ByName {
  let byName: Map<string, Choice> | undefined
  for (const choice of choices) {
    const name = key(choice)
    if (name !== undefined) (byName ??= new Map()).set(name, choice)
  }
  return byName ?? NO_NAMES
}
