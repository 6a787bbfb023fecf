/**
 * The source of a plan's choices: a record, bytes, or a strategy. Each lane has its own random
 * sequence, so a change in one lane does not shift another.
 */
import { type Choices, UNBOUNDED } from '../contract/choices.ts'
import type { ChoicePlan, FollowBy, Plan } from '../contract/plan.ts'
import { type ClockProposer, clockProposer } from '../schedule/clock.ts'
import { randomPicker } from '../schedule/picks.ts'
import { strategyOf } from '../schedule/portfolio.ts'
import type { SchedulePoint } from '../schedule/strategy.ts'
import { proposeInput } from '../tape/bias.ts'
import { bytesSource } from '../tape/bytes.ts'
import { chance } from '../tape/chance.ts'
import { inputSeed } from '../tape/name.ts'
import { type Following, replaySource } from '../tape/replay.ts'
import type { ChoiceSource } from '../tape/tape.ts'

/** Salts that separate the random sequences of the lanes. */
const INPUT_SALT = 0x696e7075
const SCHEDULE_SALT = 0x73636864
const FAULT_SALT = 0x66617574
const PICK_SALT = 0x7069636b
const CLOCK_SALT = 0x636c6f63

export interface PlannedChoices {
  readonly source: ChoiceSource
  /** The number of choices after which the tape runs out. */
  readonly length: number
  readonly following?: Following
}

/**
 * @param moment the current schedule point; undefined if the choice is not a latency
 * @param runOut ends the tape, when bytes run out
 */
export function planChoices(
  plan: Plan,
  moment: (maxUs: number) => SchedulePoint | undefined,
  runOut: () => void,
): PlannedChoices {
  const { choices } = plan
  if (choices.from === 'record') {
    const replayed = plan.input.from === 'saved' ? besideSavedInput : recorded
    return replayed(choices.choices, choices.followBy)
  }
  if (choices.from === 'bytes') {
    return { source: bytesSource(Buffer.from(choices.base64, 'base64'), runOut), length: UNBOUNDED }
  }
  const proposed = byChance(choices, moment)
  if (choices.from === 'strategy') return { source: proposed, length: choices.name.length }
  const { source: kept } = replaySource(choices.choices)
  return { source: (asked) => kept(asked) ?? proposed(asked), length: choices.choices.length }
}

function byChance(choices: ByStrategy, moment: (maxUs: number) => SchedulePoint | undefined): ChoiceSource {
  const { points, faultPoints = 0 } = choices.estimates
  const inputChance = chance(INPUT_SALT, inputSeed(choices.name.seed))
  // Begin before the program can break builtins that a strategy uses, unless no execution so far
  // had a schedule point.
  let schedule = points > 0 ? bySchedule(choices, moment) : undefined
  let faults = faultPoints > 0 ? byFaults(choices) : undefined
  return (asked) => {
    if (asked.lane === 'input') return proposeInput(inputChance, asked.min, asked.max)
    if (asked.lane === 'fault') return (faults ??= byFaults(choices))(asked)
    return (schedule ??= bySchedule(choices, moment))(asked)
  }
}

type ByStrategy = Pick<Extract<ChoicePlan, { from: 'strategy' }>, 'name' | 'strategy' | 'estimates' | 'weights'>

function bySchedule(choices: ByStrategy, moment: (maxUs: number) => SchedulePoint | undefined): ChoiceSource {
  const strategy = strategyOf(choices)
  const draws = chance(SCHEDULE_SALT, choices.name.seed)
  const scheduler = strategy.begin(draws, choices.estimates)
  const isDefault = strategy.steps === 'default'
  let pick: ((max: number) => number) | undefined
  let clock: ClockProposer | undefined
  return ({ kind, max, isRare, suggest }) => {
    if (kind === 'clock' || isRare) {
      if (isDefault) return undefined
      // Its sequence is its own: an execution has the same latencies whether it reads a clock or not.
      clock ??= clockProposer(chance(CLOCK_SALT, choices.name.seed), choices.estimates.points)
      return clock(kind === 'latency' ? 'pause' : (kind as 'clock' | 'phase' | 'correction'), Number(max))
    }
    if (suggest !== undefined) return isDefault ? undefined : suggest(draws, choices.weights)
    if (kind === 'pick') {
      pick ??= isDefault ? () => 0 : randomPicker(chance(PICK_SALT, choices.name.seed))
      return pick(Number(max))
    }
    const point = moment(Number(max))
    if (point !== undefined) return scheduler(point)
    return !isDefault && draws.coin(0.5) ? draws.bits() : undefined
  }
}

function byFaults(choices: ByStrategy): ChoiceSource {
  const propose = strategyOf(choices).faults?.(chance(FAULT_SALT, choices.name.seed), choices.estimates)
  return ({ subject, max, index }) => propose?.({ index, operation: subject!.operation, max: Number(max) })
}

function recorded(choices: Choices, followBy?: FollowBy): PlannedChoices {
  return { ...replaySource(choices, followBy), length: choices.length }
}

/**
 * A saved input is not generated, so its lane follows no choices; they are drawn only because they
 * count towards the length of the tape.
 */
function besideSavedInput(choices: Choices, followBy?: FollowBy): PlannedChoices {
  const { source, following } = replaySource({ ...choices, input: [] }, followBy)
  return {
    source: (asked) => (asked.lane === 'input' ? choices.input[asked.index]?.value : source(asked)),
    length: choices.length,
    following,
  }
}
