/**
 * PCT: probabilistic concurrency testing over causal chains, spoken in latencies.
 *
 * In PCT (Burckhardt, Kothari, Musuvathi, Nagarakatte, ASPLOS 2010) n threads have random priorities, the highest
 * enabled one runs, and at d-1 random points among the k steps the running thread falls below all others; a bug of
 * depth d is then hit with probability at least 1/(n k^(d-1)). Here the threads are causal chains, as in PCTCP
 * (Ozkan et al., OOPSLA 2018), which need not be known in advance: a chain gets its priority when it is first seen.
 *
 * Where we depart: an event loop has no priorities, it has latencies. Running a chain after all those above it means
 * that its first operation is late by (its rank) slots, where a slot is long enough for a chain to run to its end; a
 * change point means that one operation is late by more slots than there are ranks. With the lateness bound B a slot
 * is at most B/(n+d): a body longer than that in virtual time is only held apart in part, and the guarantee then holds
 * for the orders within a slot. A pool of four threads also limits how many chains can be held back at once.
 *
 * k is the number of schedule points that earlier executions passed *before the body settled*, so that a change point
 * lies where it can matter.
 */
import type { Strategy } from './strategy.ts'

const MAX_DEPTH = 5

/** @param fixedDepth the bug depth d to aim at; without it each execution draws one, half of them 2 */
export function pct(fixedDepth?: number): Strategy {
  return {
    name: 'pct',
    byChance: false,
    begin(chance, estimates) {
      const depth = fixedDepth ?? drawDepth(chance.unit())
      const chains = Math.max(1, estimates.chains)
      const points = Math.max(1, estimates.points)
      const ranks = shuffled(chains, (below) => chance.integer(0, below))
      const changes = new Map<number, number>()
      for (let change = 1; change < depth; change++) changes.set(chance.integer(0, points - 1), change)
      const seen = new Set<string>()
      let passed = 0
      return ({ chain, maxUs }) => {
        const slotUs = Math.max(1, Math.min(estimates.durationUs, maxUs / (chains + depth)))
        const change = changes.get(passed++)
        const first = !seen.has(chain)
        if (first) seen.add(chain)
        if (change !== undefined) return Math.round((chains + change - 1) * slotUs)
        if (!first) return 0
        return Math.round((ranks.pop() ?? chance.integer(0, chains - 1)) * slotUs)
      }
    },
  }
}

/** Half of the executions aim at depth 2, a quarter at 3, and so on; what is left at 1, where order alone decides. */
function drawDepth(unit: number): number {
  for (let depth = 2, share = 0.5; depth <= MAX_DEPTH; depth++, share /= 2) {
    if (unit < share) return depth
    unit -= share
  }
  return 1
}

/** The numbers 0..count-1 in random order (Fisher-Yates). */
function shuffled(count: number, below: (max: number) => number): number[] {
  const numbers = Array.from({ length: count }, (_, index) => index)
  for (let last = count - 1; last > 0; last--) {
    const other = below(last)
    ;[numbers[last], numbers[other]] = [numbers[other]!, numbers[last]!]
  }
  return numbers
}
