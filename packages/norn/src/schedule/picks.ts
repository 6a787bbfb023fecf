/**
 * Picks: choices of the schedule lane that select which waiting task `fc.scheduler()` resumes. 0 is
 * the task that has waited longest.
 *
 * Each execution draws a style (swarm testing, Groce et al., ISSTA 2012). A third pick uniformly,
 * as fast-check does. Uniform picks rarely delay one task for long: behind fifteen steps of another
 * in one execution of 2^15. So a third mostly pick the newest task, which runs one chain of tasks
 * to its end while the others wait, and a third mostly pick the oldest.
 */
import type { Chance } from '../tape/chance.ts'

/** The probabilities of a uniform pick in the other two styles. */
const EXCEPTIONS = [0.02, 0.1, 0.3] as const

const PREFIX = 'pick '

/**
 * @param scheduler unique in the execution
 * @param ordinal the number of the pick of this scheduler, from 0
 */
export function pickLabel(scheduler: string, ordinal: number): string {
  return `${PREFIX}${scheduler}.${ordinal}`
}

/** Proposes a pick: the index of a waiting task, 0..max. */
export type Picker = (max: number) => number

/** @param chance used for the picks of one execution only */
export function randomPicker(chance: Chance): Picker {
  const style = chance.integer(0, 2)
  const exceptions = EXCEPTIONS[chance.integer(0, EXCEPTIONS.length - 1)]!
  return (max) => {
    if (style === 0 || chance.coin(exceptions)) return chance.integer(0, max)
    return style === 1 ? max : 0
  }
}
