/**
 * Random latencies, with a style of its own for each execution: how often something is late, how late at most, and
 * which kinds of moments are touched at all.
 *
 * Drawing the style anew is swarm testing (Groce et al., ISSTA 2012): an execution in which only a few effects are very
 * late reaches orders that one in which everything is a little late never shows, and the other way round. Latencies are
 * log-uniform below the style's bound, because orders change with the ratio of two latencies.
 */
import type { SchedulePointKind, Strategy } from './strategy.ts'

const RATES = [0.05, 0.1, 0.25, 0.5, 0.9] as const
const KINDS: readonly SchedulePointKind[] = ['effect', 'callback', 'timer', 'start']

export const random: Strategy = {
  name: 'random',
  byChance: true,
  begin(chance) {
    const rate = RATES[chance.integer(0, RATES.length - 1)]!
    const boundShare = 10 ** -(2 * chance.unit())
    const touched = new Set(KINDS.filter(() => chance.coin(0.75)))
    if (touched.size === 0) touched.add('effect')
    return ({ kind, maxUs }) => {
      if (!touched.has(kind) || !chance.coin(rate)) return 0
      const boundUs = Math.max(1, maxUs * boundShare)
      return Math.round(boundUs ** chance.unit())
    }
  },
}
