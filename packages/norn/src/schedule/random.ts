/**
 * Random latencies, with a style of its own for each execution: how often something is late, how
 * late at most, how latencies are spread below that, and which kinds of moments are touched at all.
 *
 * Drawing the style anew is swarm testing (Groce et al., ISSTA 2012): an execution in which only a
 * few effects are very late reaches orders that one in which everything is a little late never
 * shows, and the other way round. Orders of operations change with the ratio of two latencies, so
 * half of the styles spread them log-uniformly; orders against timers change with their size, so
 * the other half spread them uniformly.
 */

import type { SchedulePointKind } from '../contract/subject.ts'
import { scatteredFaults } from './faults.ts'
import type { Strategy } from './strategy.ts'

const RATES = [0.05, 0.1, 0.25, 0.5, 0.9] as const
/** Faults are scattered among the first 2 to 2^9 operations. */
const MAX_HORIZON_BITS = 9
const KINDS: readonly SchedulePointKind[] = ['effect', 'callback', 'timer', 'start']

/**
 * The share of executions in which the program itself is held up. Few orders need that, and it
 * shifts everything that comes after.
 */
const STALLING = 0.25

/** The share of executions in which large transfers are seen half done. */
const TEARING = 0.5

export const random: Strategy = {
  name: 'random',
  byChance: true,
  begin(chance) {
    const rate = RATES[chance.integer(0, RATES.length - 1)]!
    const boundShare = chance.coin(0.5) ? 1 : 10 ** -(2 * chance.unit())
    const logarithmic = chance.coin(0.5)
    const touched = new Set(KINDS.filter(() => chance.coin(0.75)))
    if (touched.size === 0) touched.add('effect')
    if (chance.coin(TEARING)) touched.add('tear')
    if (chance.coin(STALLING)) touched.add('stall')
    return ({ kind, maxUs }) => {
      if (!touched.has(kind) || !chance.coin(rate)) return 0
      const boundUs = Math.max(1, maxUs * boundShare)
      return Math.round(logarithmic ? boundUs ** chance.unit() : boundUs * chance.unit())
    }
  },
  // How many operations there will be is not known here: an execution by chance is a function of
  // its seed alone.
  faults: (chance) => scatteredFaults(chance, 2 ** chance.integer(1, MAX_HORIZON_BITS)),
}
