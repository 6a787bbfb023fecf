/**
 * A choice: one decision of an execution, typed by its kind and bounds, named by its label.
 *
 * Invariant: `min <= value <= max`, and all three are of one type (`number` integers or `bigint`).
 */
import type { Subject } from './subject.ts'

/**
 * The lanes: three separate sequences of choices, so that a change in one does not shift the
 * others. Another input keeps the schedule; another schedule keeps the input.
 */
export const LANES = ['input', 'schedule', 'fault'] as const

export type Lane = (typeof LANES)[number]

/** What a choice decides; set where it is drawn. */
export type ChoiceKind =
  /** Input lane: part of a generated value. */
  | 'value'
  /** Schedule lane: the delay of an operation, in microseconds. */
  | 'latency'
  /** Schedule lane: the waiting task that `fc.scheduler()` resumes, 0 being the oldest. */
  | 'pick'
  /** Schedule lane: the next step of a cluster; its label is its ordinal. */
  | 'step'
  /** Schedule lane: the seed of the program's random numbers. */
  | 'seed'
  /** Fault lane: the fault that a system call meets, 0 being none. */
  | 'fault'

/** The kind of a choice that does not name one. */
export const DEFAULT_KIND = { input: 'value', schedule: 'latency', fault: 'fault' } as const satisfies Record<
  Lane,
  ChoiceKind
>

export interface Choice<Value extends number | bigint = number | bigint> {
  readonly kind: ChoiceKind
  /** Unique within the lane: a causal path for a latency, an ordinal for a step or an input. */
  readonly label: string
  readonly min: Value
  readonly max: Value
  readonly value: Value
  /**
   * A second name (operation, resource, ordinal), for following over changed code; only where
   * requested.
   */
  readonly alias?: string
  /** The fields of the label; for latencies and faults only. */
  readonly subject?: Subject
}

/** The simplest value of a range: the one nearest to zero. */
export function simplestValue<Value extends number | bigint>(min: Value, max: Value): Value {
  if (min > 0) return min
  if (max < 0) return max
  return (typeof min === 'bigint' ? 0n : 0) as Value
}

/**
 * Whether a choice has the simplest value of its range. Shrinking minimises the number of those
 * that have not.
 */
export function isSimplest(choice: Choice): boolean {
  return choice.value === simplestValue(choice.min, choice.max)
}

/**
 * The distance of a value from the simplest one of its range, counted outwards and alternating: 0,
 * 1, -1, 2, -2, ... Of two values of one range the one with the smaller rank is simpler.
 */
export function rank(min: number | bigint, max: number | bigint, value: number | bigint): bigint {
  const distance = BigInt(value) - BigInt(simplestValue(min, max))
  return distance > 0n ? 2n * distance - 1n : -2n * distance
}

/**
 * The value with a rank. Past one end of the range: the value as far on the other side; past both:
 * the nearest bound.
 */
export function ofRank<Value extends number | bigint>(min: Value, max: Value, rank: bigint): Value {
  const simplest = BigInt(simplestValue(min, max))
  const [low, high] = [BigInt(min), BigInt(max)]
  const away = rank % 2n === 1n ? (rank + 1n) / 2n : -rank / 2n
  const value = simplest + away
  const within = value < low || value > high ? simplest - away : value
  const clamped = clamp(within, low, high)
  return (typeof min === 'bigint' ? clamped : Number(clamped)) as Value
}

/** The value of a range that is nearest to a value. */
export function clamp<Value extends number | bigint>(value: Value, min: Value, max: Value): Value {
  return value < min ? min : value > max ? max : value
}
