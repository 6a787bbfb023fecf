/**
 * A choice: one decision of an execution, typed by its kind and bounds, named by its label.
 *
 * Invariant: `min <= value <= max`, and all three are of one type (`number` integers or `bigint`).
 */
import type { Subject } from './subject.ts'

/** The lanes: separate sequences of choices, so that a change in one does not shift the others. */
export const LANES = ['input', 'schedule', 'fault'] as const

export type Lane = (typeof LANES)[number]

/** What a choice decides. */
export type ChoiceKind =
  /** Input lane: part of a generated value. */
  | 'value'
  /** Schedule lane: the delay of an operation, in microseconds of virtual time. */
  | 'latency'
  /** Schedule lane: the waiting task that `fc.scheduler()` resumes, 0 being the oldest. */
  | 'pick'
  /** Schedule lane: the next step of a cluster; its label is its ordinal. */
  | 'step'
  /** Schedule lane: the seed of the program's random numbers. */
  | 'seed'
  /** Schedule lane: the instant at which the wall clock starts, in milliseconds after the default one. */
  | 'clock'
  /** Schedule lane: by how much the milliseconds of the wall clock begin after those of timers, in microseconds. */
  | 'phase'
  /** Schedule lane: how far a read finds the wall clock set back, in milliseconds. */
  | 'correction'
  /** Schedule lane: 1 if a cluster's fixed request is left out; only shrinking proposes it. */
  | 'omission'
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
   * A second name (operation, resource, ordinal), for replay over changed code; only where
   * requested.
   */
  readonly alias?: string
  /** The fields of the label; for latencies and faults only. */
  readonly subject?: Subject
}

/** The choice of the seed of the program's random numbers, of the schedule lane. */
export const CHANCE_SEED = { kind: 'seed', label: 'chance seed', min: 0, max: 0xffff_ffff } as const

/** The simplest value of a range: the one nearest zero. */
export function simplestValue<Value extends number | bigint>(min: Value, max: Value): Value {
  if (min > 0) return min
  if (max < 0) return max
  return (typeof min === 'bigint' ? 0n : 0) as Value
}

/** Whether a choice has the simplest value of its range. */
export function isSimplest(choice: Choice): boolean {
  return choice.value === simplestValue(choice.min, choice.max)
}

/**
 * The rank of a value, counted outwards from the simplest one of its range: 0, 1, -1, 2, -2, ...
 * The smaller rank is the simpler value.
 */
export function rank(min: number | bigint, max: number | bigint, value: number | bigint): bigint {
  const distance = BigInt(value) - BigInt(simplestValue(min, max))
  return distance > 0n ? 2n * distance - 1n : -2n * distance
}

/**
 * The value with a rank; beyond one end of the range, the value at that distance on the other side;
 * beyond both, the nearest bound.
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

export function clamp<Value extends number | bigint>(value: Value, min: Value, max: Value): Value {
  return value < min ? min : value > max ? max : value
}
