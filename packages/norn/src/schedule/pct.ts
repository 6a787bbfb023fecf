/**
 * PCT: probabilistic concurrency testing over causal chains, by latencies.
 *
 * In PCT (Burckhardt, Kothari, Musuvathi, Nagarakatte, ASPLOS 2010) n threads have random
 * priorities, the enabled thread with the highest one runs, and at d-1 random points among the k
 * steps the running thread falls below all others. A bug of depth d is then hit with probability at
 * least 1/(n k^(d-1)). Here the threads are causal chains, as in PCTCP (Ozkan et al., OOPSLA 2018):
 * a chain gets its priority when it is first seen. k is the number of schedule points that earlier
 * executions passed before the body settled, without stalls, so that change points lie where they
 * matter.
 *
 * Departure: an event loop has latencies instead of priorities. So a priority is a slot of virtual
 * time: a round has n+d-1 slots, the chain of rank r waits for slot r, and a change point delays
 * one operation to a slot behind all ranks. A chain waits when it is first seen, and again when it
 * continues alone, as it may be about to start others: the first operation that a step starts
 * continues its chain and gets its latency before the others are known. To delay the only operation
 * changes no order and costs virtual time only.
 *
 * This weakens the guarantee. With the latency bound B a slot is at most B/(n+d), so in a body of
 * longer virtual time chains overlap. The four threads of the pool limit how many chains are
 * delayed at once. A chain that starts others while yet others are pending does not wait for those
 * of higher rank, unless at a change point.
 *
 * Measured: programs with slack reach their bound (see the tests). A program without slack, with a
 * window of a single point at depth 2 (between the effect and the callback of a mkdir), reaches it
 * exactly: over all ranks and change points it is hit in 6 of 24 * 19, and in 791 of 60,000 random
 * executions, 0.01318 where the bound is 0.01316. On tapes of 8 to 512 choices, after which
 * latencies are 0, it was hit in 0.0097. A fifth of all tapes are that short, so properties with
 * inputs lose up to a fifth of the bound; those without get long tapes (see the planner).
 */
import { scatteredFaults } from './faults.ts'
import type { Strategy } from './strategy.ts'

const MAX_DEPTH = 5

const ARGUMENT: Strategy['argument'] = {
  name: 'DEPTH',
  read: (text) => (/^[1-9]$/.test(text) ? pct(Number(text)) : undefined),
}

/**
 * @param fixedDepth the bug depth d to aim at. Default: each execution draws one, half of them 2
 */
export function pct(fixedDepth?: number): Strategy {
  return {
    name: 'pct',
    argument: ARGUMENT,
    isInPortfolio: true,
    // It orders the tasks of an event loop: without one its bound would not hold.
    needsLatencies: true,
    steps: 'random',
    fromSeedAlone: false,
    aimsAt: (depth) => (fixedDepth === undefined ? shareOfDepth(depth) : Number(depth === fixedDepth)),
    begin(chance, estimates) {
      const depth = fixedDepth ?? drawDepth(chance.unit())
      const chains = Math.max(1, estimates.chains)
      const points = Math.max(1, estimates.points)
      const ranks = shuffled(chains, (below) => chance.integer(0, below))
      const changes = new Map<number, number>()
      for (let change = 1; change < depth; change++) changes.set(chance.integer(0, points - 1), change)
      const rankOf = new Map<string, number>()
      let roundStartUs = 0
      let passed = 0
      return ({ kind, chain, maxUs, nowUs, alone }) => {
        if (kind === 'stall') return 0
        const slotUs = Math.max(1, Math.min(estimates.durationUs, maxUs / (chains + depth)))
        const continuesAlone = alone && kind === 'effect'
        if (passed === 0 || continuesAlone || nowUs > roundStartUs + (chains + depth - 1) * slotUs) roundStartUs = nowUs
        const untilSlot = (slot: number) => Math.max(0, Math.round(roundStartUs + slot * slotUs - nowUs))
        const change = changes.get(passed++)
        if (change !== undefined) return untilSlot(chains + change - 1)
        const isNew = !rankOf.has(chain)
        if (isNew) rankOf.set(chain, ranks.pop() ?? chance.integer(0, chains - 1))
        return isNew || continuesAlone ? untilSlot(rankOf.get(chain)!) : 0
      }
    },
    faults: (chance, { faultPoints = 1 }) => scatteredFaults(chance, Math.max(1, faultPoints)),
  }
}

/** Half of the executions aim at depth 2, a quarter at 3, and so on; the rest at 1. */
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
