/**
 * Where a plan's choices come from: a record, or a strategy and chance. The lanes draw from sequences of their own, so
 * neither shifts the other.
 */
import type { ChoicePlan, Plan } from '../explore/execution.ts'
import { isPickLabel, pickerByChance } from '../schedule/picks.ts'
import { strategyChooser } from '../schedule/portfolio.ts'
import type { SchedulePoint } from '../schedule/strategy.ts'
import { proposeInput } from '../tape/bias.ts'
import { chance } from '../tape/chance.ts'
import { inputSeed, scheduleOrdinal } from '../tape/name.ts'
import { type Choices, type FollowBy, type Following, replaySource } from '../tape/replay.ts'
import type { ChoiceSource } from '../tape/tape.ts'
import { operationOfFault } from '../world/labels.ts'

/** Salts that keep the sequences of the lanes apart. */
const INPUT_SALT = 0x696e7075
const SCHEDULE_SALT = 0x73636864
const FAULT_SALT = 0x66617574
const PICK_SALT = 0x7069636b

export interface PlannedChoices {
  readonly source: ChoiceSource
  /** After how many choices the tape runs out. */
  readonly length: number
  readonly following?: Following
}

/** @param moment the moment for which a latency is asked, if it is one that is asked for */
export function planChoices(plan: Plan, moment: (maxUs: number) => SchedulePoint | undefined): PlannedChoices {
  const { choices } = plan
  if (choices.from === 'record') {
    const replayed = plan.input.from === 'saved' ? besideSavedInput : recorded
    return replayed(choices.choices, choices.followBy)
  }
  const proposed = byChance(choices, moment)
  if (choices.from === 'strategy') return { source: proposed, length: choices.name.length }
  const { source: kept } = replaySource(choices.choices)
  return { source: (asked) => kept(asked) ?? proposed(asked), length: choices.choices.length }
}

function byChance(
  choices: Pick<Extract<ChoicePlan, { from: 'strategy' }>, 'name' | 'strategy' | 'estimates'>,
  moment: (maxUs: number) => SchedulePoint | undefined,
): ChoiceSource {
  const { seed } = choices.name
  const inputChance = chance(INPUT_SALT, inputSeed(seed))
  const scheduleChance = chance(SCHEDULE_SALT, seed)
  const strategy = strategyChooser(choices.strategy)(scheduleOrdinal(seed))
  const scheduler = strategy.begin(scheduleChance, choices.estimates)
  const faults = strategy.faults?.(chance(FAULT_SALT, seed), choices.estimates)
  const pick = strategy.name === 'natural' ? () => 0 : pickerByChance(chance(PICK_SALT, seed))
  return ({ lane, label, min, max, index }) => {
    if (lane === 'input') return proposeInput(inputChance, min, max)
    if (lane === 'fault') return faults?.({ index, operation: operationOfFault(label), max: Number(max) })
    if (isPickLabel(label)) return pick(Number(max))
    const point = moment(Number(max))
    if (point !== undefined) return scheduler(point)
    return strategy.name !== 'natural' && scheduleChance.coin(0.5) ? scheduleChance.bits() : undefined
  }
}

function recorded(choices: Choices, followBy?: FollowBy): PlannedChoices {
  return { ...replaySource(choices, followBy), length: choices.length }
}

/** Saved values need no choices to follow; those of the input lane are drawn for the length of the tape alone. */
function besideSavedInput(choices: Choices, followBy?: FollowBy): PlannedChoices {
  const { source, following } = replaySource({ ...choices, input: [] }, followBy)
  return {
    source: (asked) => (asked.lane === 'input' ? choices.input[asked.index]?.value : source(asked)),
    length: choices.length,
    following,
  }
}
