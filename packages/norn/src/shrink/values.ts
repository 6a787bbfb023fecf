/** Moving the value of a choice within its range, in steps counted from the natural value. */
import { type Choice, clamp, simplestValue } from '../contract/choice.ts'

/** How many steps a value stands from the natural one, without regard to the side. */
export function distance({ min, max, value }: Choice): bigint {
  const away = BigInt(value) - BigInt(simplestValue(min, max))
  return away < 0n ? -away : away
}

/** The choice with another value, brought into its range. */
export function withValue(choice: Choice, value: bigint): Choice {
  const within = clamp(value, BigInt(choice.min), BigInt(choice.max))
  return { ...choice, value: typeof choice.value === 'bigint' ? within : Number(within) }
}

/** The choice so many steps nearer to natural, on the side where it stands. */
export function nearer(choice: Choice, steps: bigint): Choice {
  const natural = BigInt(simplestValue(choice.min, choice.max))
  const value = BigInt(choice.value)
  return withValue(choice, value > natural ? value - steps : value + steps)
}

export function natural(choice: Choice): Choice {
  return { ...choice, value: simplestValue(choice.min, choice.max) }
}

/**
 * The largest number of steps, at most `limit`, that is accepted, if what is accepted at all is
 * accepted from 1 on; else some number that is, or 0. One step is tried right after all of them:
 * mostly neither is accepted.
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
