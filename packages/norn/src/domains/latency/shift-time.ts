/**
 * Pass: moves time between the input and the schedule.
 *
 * Where a number of the input is a time (a gap between two calls), a delay fits that time: neither
 * can be lowered without the other. So a number is lowered while a delay grows or shrinks by as
 * much; and a delay is dropped while a number takes its time over. What the unit of a number is, or
 * whether it is a time at all, no record says.
 */
import { type Choice, isSimplest, simplestValue } from '../../contract/choice.ts'
import type { Shrinker } from '../../shrink/shrinker.ts'
import { distance, mostSteps, nearer, withValue } from '../../shrink/values.ts'

/** A step of a number, in microseconds: if it counts milliseconds, or microseconds. */
const UNITS_US = [1000n, 1n]
/** With more delays than these, the search for few comes first. */
const MAX_DELAYS = 4
/** Attempts of one run of the pass. */
const MAX_TRIES = 400

export async function shiftTime(shrinker: Shrinker): Promise<void> {
  const begin = shrinker.executions
  const isOver = () => shrinker.exhausted || shrinker.executions - begin >= MAX_TRIES
  const { schedule, input } = shrinker.choices
  if (schedule.length === 0 || schedule.length > MAX_DELAYS) return
  for (let at = 0; at < input.length; at++) {
    for (let delay = 0; delay < schedule.length; delay++) {
      for (const unit of UNITS_US) {
        for (const sign of [1n, -1n]) {
          if (isOver()) return
          await lower(shrinker, at, delay, sign * unit)
          await dropDelay(shrinker, at, delay, sign * unit)
        }
      }
    }
  }
}

/** Lowers a number of the input, by as many steps as possible. @param us added to the delay a step */
async function lower(shrinker: Shrinker, at: number, delay: number, us: bigint): Promise<void> {
  const { input, schedule } = shrinker.choices
  const [choice, delayed] = [input[at], schedule[delay]]
  if (choice === undefined || delayed?.kind !== 'latency' || isSimplest(choice)) return
  const away = distance(choice)
  await mostSteps(away < room(delayed, us) ? away : room(delayed, us), (steps) => {
    const shifted = withValue(delayed, BigInt(delayed.value) + steps * us)
    return shrinker.acceptsInput(input.with(at, nearer(choice, steps)), { schedule: schedule.with(delay, shifted) })
  })
}

/** Sets a delay to 0, and adds its time to a number of the input: rounded up, then down. */
async function dropDelay(shrinker: Shrinker, at: number, delay: number, us: bigint): Promise<void> {
  const { input, schedule } = shrinker.choices
  const [choice, delayed] = [input[at], schedule[delay]]
  if (choice === undefined || delayed?.kind !== 'latency') return
  const steps = BigInt(delayed.value) / us
  for (const more of [steps + (us > 0n ? 1n : -1n), steps]) {
    const raised = withValue(choice, BigInt(choice.value) + more)
    if (more === 0n || raised.value === choice.value) continue
    const changed = { schedule: schedule.toSpliced(delay, 1) }
    if (await shrinker.acceptsInput(input.with(at, raised), changed)) return
  }
}

/** The steps by which a delay can change within its range, with another value than the simplest. */
function room({ min, max, value }: Choice, us: bigint): bigint {
  if (us > 0n) return (BigInt(max) - BigInt(value)) / us
  return (BigInt(value) - BigInt(simplestValue(min, max)) - 1n) / -us
}
