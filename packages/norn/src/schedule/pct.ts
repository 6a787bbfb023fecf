/**
 * PCT: probabilistic concurrency testing over causal chains, spoken in latencies.
 *
 * In PCT (Burckhardt, Kothari, Musuvathi, Nagarakatte, ASPLOS 2010) n threads have random
 * priorities, the highest enabled one runs, and at d-1 random points among the k steps the running
 * thread falls below all others; a bug of depth d is then hit with probability at least 1/(n
 * k^(d-1)). Here the threads are causal chains, as in PCTCP (Ozkan et al., OOPSLA 2018), which need
 * not be known in advance: a chain gets its priority when it is first seen.
 *
 * Where we depart: an event loop has no priorities, it has latencies. So a priority becomes a slot
 * of virtual time, in which a chain runs after all those above it: time goes in rounds of n+d-1
 * slots, the chain of rank r waits for slot r of the round, and a change point lets one operation
 * wait for a slot behind all ranks. A chain waits when it is first seen, and again when it goes on
 * alone: it may be about to start others, of which it could not be made the last otherwise, because
 * the first thing a step starts continues its chain and is decided before the others are known. To
 * hold back what is alone changes no order and costs virtual time only. A round ends when its slots
 * are over.
 *
 * What the guarantee loses by that: with the lateness bound B a slot is at most B/(n+d), so a body
 * longer than that in virtual time is held apart in part only. The pool's four threads limit how
 * many chains can be held back at once. A chain that starts others while yet others are under way
 * does not wait for those of them that rank above it; a change point has to bring that about.
 *
 * Measured: programs with slack reach their bound (see the tests). One that leaves none, with a
 * window of a single point at depth 2 (between the effect and the callback of a mkdir), reaches it
 * exactly: over all ranks and change points it is hit in 6 of 24 * 19, and in 791 of 60,000
 * executions by chance, 0.01318 where the bound is 0.01316. That holds where tapes are long: in
 * executions with a tape of 8 to 512 choices, behind whose end nothing is late, it was hit in
 * 0.0097. A fifth of all tapes are that short, so properties with inputs lose up to a fifth of the
 * bound; those without get long tapes (see the planner).
 *
 * Stalls of the program are no steps of a chain: none is proposed here, and k does not count them.
 *
 * k is the number of schedule points that earlier executions passed *before the body settled*, so
 * that a change point lies where it can matter.
 */
import { scatteredFaults } from './faults.ts'
import type { Strategy } from './strategy.ts'

const MAX_DEPTH = 5

/**
 * @param fixedDepth the bug depth d to aim at; without it each execution draws one, half of them 2
 */
export function pct(fixedDepth?: number): Strategy {
  return {
    name: 'pct',
    byChance: false,
    aimsAt: (depth) => (fixedDepth === undefined ? shareOfDepth(depth) : Number(depth === fixedDepth)),
    begin(chance, estimates) {
      const depth = fixedDepth ?? drawDepth(chance.unit())
      const chains = Math.max(1, estimates.chains)
      const points = Math.max(1, estimates.points)
      const ranks = shuffled(chains, (below) => chance.integer(0, below))
      const changes = new Map<number, number>()
      for (let change = 1; change < depth; change++) changes.set(chance.integer(0, points - 1), change)
      const rankOf = new Map<string, number>()
      let roundUs = 0
      let passed = 0
      return ({ kind, chain, maxUs, nowUs, alone }) => {
        if (kind === 'stall') return 0
        const slotUs = Math.max(1, Math.min(estimates.durationUs, maxUs / (chains + depth)))
        const goesOnAlone = alone && kind === 'effect'
        if (passed === 0 || goesOnAlone || nowUs > roundUs + (chains + depth - 1) * slotUs) roundUs = nowUs
        const untilSlot = (slot: number) => Math.max(0, Math.round(roundUs + slot * slotUs - nowUs))
        const change = changes.get(passed++)
        if (change !== undefined) return untilSlot(chains + change - 1)
        const isNew = !rankOf.has(chain)
        if (isNew) rankOf.set(chain, ranks.pop() ?? chance.integer(0, chains - 1))
        return isNew || goesOnAlone ? untilSlot(rankOf.get(chain)!) : 0
      }
    },
    faults: (chance, { faultPoints = 1 }) => scatteredFaults(chance, Math.max(1, faultPoints)),
  }
}

/**
 * Half of the executions aim at depth 2, a quarter at 3, and so on; what is left at 1, where order
 * alone decides.
 */
function drawDepth(unit: number): number {
  for (let depth = 2; depth <= MAX_DEPTH; depth++) {
    const share = shareOfDepth(depth)
    if (unit < share) return depth
    unit -= share
  }
  return 1
}

function shareOfDepth(depth: number): number {
  if (depth > MAX_DEPTH) return 0
  return depth === 1 ? 2 ** (1 - MAX_DEPTH) : 2 ** (1 - depth)
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
