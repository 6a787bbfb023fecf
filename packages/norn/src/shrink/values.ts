/** Moves of the value of a choice within its range, in steps from the simplest value. */
import { type Choice, clamp, simplestValue } from '../contract/choice.ts'

/** The number of steps between a value and the simplest one, on either side. */
export function distance({ min, max, value }: Choice): bigint {
  const away = BigInt(value) - BigInt(simplestValue(min, max))
  return away < 0n ? -away : away
}

/** The choice with another value, clamped to its range. */
export function withValue(choice: Choice, value: bigint): Choice {
  const within = clamp(value, BigInt(choice.min), BigInt(choice.max))
  return { ...choice, value: typeof choice.value === 'bigint' ? within : Number(within) }
}

/** The choice `steps` nearer to the simplest value. */
export function nearer(choice: Choice, steps: bigint): Choice {
  const target = BigInt(simplestValue(choice.min, choice.max))
  const value = BigInt(choice.value)
  return withValue(choice, value > target ? value - steps : value + steps)
}

export function simplest(choice: Choice): Choice {
  return { ...choice, value: simplestValue(choice.min, choice.max) }
}

/**
 * The largest accepted number of steps up to `limit`, by binary search; where acceptance is not
 * monotonic, some accepted number, or 0. A single step is tried second, as mostly neither all steps
 * nor one is accepted.
 */
export async function mostSteps(limit: bigint, accepts: (steps: bigint) => Promise<boolean>): Promise<bigint> {
  if (limit <= 0n) return 0n
  if (await accepts(limit)) return limit
  if (limit === 1n || !(await accepts(1n))) return 0n
  let good = 1n
  let bad = limit
  while (bad - good > 1n) {
    const middle = (good + bad) / 2n
    if (await accepts(middle)) good = middle
    else bad = middle
  }
  return good
}
