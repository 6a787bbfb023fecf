/**
 * Picks: choices of the schedule lane that say which of several waiting tasks goes on, as
 * `fc.scheduler()` asks. They are no latencies: 0 is the task that waits longest, which is the
 * natural order.
 *
 * As with latencies each execution has a style of its own (swarm testing, Groce et al., ISSTA
 * 2012). A third picks evenly, as fast-check does. Even picks hardly ever hold one task back for
 * long: behind fifteen steps of another it is left waiting in one execution of 2^15. So a third
 * takes the newest task as a rule, which runs one chain of tasks to its end while all else waits,
 * and a third the oldest, with few exceptions.
 */
import type { Chance } from '../tape/chance.ts'

/** How often the two uneven styles depart from their rule. */
const EXCEPTIONS = [0.02, 0.1, 0.3] as const

const PREFIX = 'pick '

/**
 * @param scheduler tells schedulers of one execution apart; @param ordinal the how-manieth pick it
 *   is of this one
 */
export function pickLabel(scheduler: string, ordinal: number): string {
  return `${PREFIX}${scheduler}.${ordinal}`
}

/** Proposes the picks of one execution: the place of a task among those that wait, 0..max. */
export type Picker = (max: number) => number

/** @param chance random numbers of this execution's picks alone */
export function pickerByChance(chance: Chance): Picker {
  const style = chance.integer(0, 2)
  const exceptions = EXCEPTIONS[chance.integer(0, EXCEPTIONS.length - 1)]!
  return (max) => {
    if (style === 0 || chance.coin(exceptions)) return chance.integer(0, max)
    return style === 1 ? max : 0
  }
}
