/**
 * A choice: one decision of an execution, typed by its bounds and named by its label.
 *
 * Invariant: `min <= value <= max`, and all three are of one type (`number` integers or `bigint`).
 */
export interface Choice<Value extends number | bigint = number | bigint> {
  /** What is being decided, unique within its lane: a causal path for the schedule, an ordinal for the input. */
  readonly label: string
  readonly min: Value
  readonly max: Value
  readonly value: Value
  /** A second name, by what is done to what, for following over changed code; only where it was asked for. */
  readonly alias?: string
}

/** The natural value of a range: the one nearest to zero. */
export function naturalValue<Value extends number | bigint>(min: Value, max: Value): Value {
  if (min > 0) return min
  if (max < 0) return max
  return (typeof min === 'bigint' ? 0n : 0) as Value
}

/** Whether a choice departs from what is natural; shrinking minimises the number of these. */
export function isNatural(choice: Choice): boolean {
  return choice.value === naturalValue(choice.min, choice.max)
}

/**
 * How far a value stands from the natural one of its range, counted outwards and alternating: 0, 1, -1, 2, -2, ...
 * Two values of one range compare as "simpler" by this rank.
 */
export function rank(min: number | bigint, max: number | bigint, value: number | bigint): bigint {
  const natural = BigInt(naturalValue(min, max))
  const distance = BigInt(value) - natural
  return distance > 0n ? 2n * distance - 1n : -2n * distance
}

/** The value of a range that has a rank, as far as the range goes on that side; past both its ends, the nearest bound. */
export function ofRank<Value extends number | bigint>(min: Value, max: Value, rank: bigint): Value {
  const natural = BigInt(naturalValue(min, max))
  const [low, high] = [BigInt(min), BigInt(max)]
  const away = rank % 2n === 1n ? (rank + 1n) / 2n : -rank / 2n
  const value = natural + away
  const within = value < low || value > high ? natural - away : value
  const clamped = clamp(within, low, high)
  return (typeof min === 'bigint' ? clamped : Number(clamped)) as Value
}

/** Brings a value into a range: unchanged if it fits, else the nearest bound. */
export function clamp<Value extends number | bigint>(value: Value, min: Value, max: Value): Value {
  return value < min ? min : value > max ? max : value
}
