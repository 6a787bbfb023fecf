/**
 * Random latencies. Each execution draws a style: the share of operations with a latency, the
 * largest latency, the distribution of latencies, and the kinds of schedule points affected.
 *
 * This is swarm testing (Groce et al., ISSTA 2012): a few long delays reach interleavings that many
 * short ones never show, and vice versa. The order of two operations depends on the ratio of their
 * latencies, so half of the styles are log-uniform; the order of an operation and a timer depends
 * on the size of the latency, so the other half are uniform.
 */

import type { SchedulePointKind } from '../contract/subject.ts'
import { scatteredFaults } from './faults.ts'
import type { Strategy } from './strategy.ts'

const RATES = [0.05, 0.1, 0.25, 0.5, 0.9] as const
/** The positions of faults are drawn among the first 2 to 2^9 operations. */
const MAX_HORIZON_BITS = 9
const KINDS: readonly SchedulePointKind[] = ['effect', 'callback', 'timer', 'start']

/**
 * The share of executions with stalls: few interleavings need one, and it delays all that follows.
 */
const STALL_SHARE = 0.25

/** The share of executions in which large transfers can be observed half done. */
const TEAR_SHARE = 0.5

export const random: Strategy = {
  name: 'random',
  isInPortfolio: true,
  steps: 'random',
  fromSeedAlone: true,
  begin(chance) {
    const rate = RATES[chance.integer(0, RATES.length - 1)]!
    const boundShare = chance.coin(0.5) ? 1 : 10 ** -(2 * chance.unit())
    const logarithmic = chance.coin(0.5)
    const touched = new Set(KINDS.filter(() => chance.coin(0.75)))
    if (touched.size === 0) touched.add('effect')
    if (chance.coin(TEAR_SHARE)) touched.add('tear')
    if (chance.coin(STALL_SHARE)) touched.add('stall')
    return ({ kind, maxUs }) => {
      if (!touched.has(kind) || !chance.coin(rate)) return 0
      const boundUs = Math.max(1, maxUs * boundShare)
      return Math.round(logarithmic ? boundUs ** chance.unit() : boundUs * chance.unit())
    }
  },
  // The number of operations is unknown here, as the execution is a function of its seed alone.
  faults: (chance) => scatteredFaults(chance, 2 ** chance.integer(1, MAX_HORIZON_BITS)),
}
