/**
 * Which bugs the executions by PCT exclude. A bug of depth d, in a program of n causal chains and k
 * schedule points, is hit by one execution that aims at depth d with probability at least 1/(n
 * k^(d-1)) (Burckhardt et al., ASPLOS 2010). So if none of many was hit, there is none, at 95 %,
 * once the probability that all would have missed it is below 5 %.
 *
 * It speaks of one input, and executions are counted for one input: the one that PCT tried most. An
 * execution counts only if it had a right to the bound: its tape did not run out (behind the end
 * nothing is late), and it was told of as many chains and points as it came to have. Executions
 * that aim at another depth do not count either. What else the bound takes for granted stands in
 * schedule/pct.ts.
 */

import type { ExecutionResult } from '../contract/execution.ts'
import type { Plan } from '../contract/plan.ts'
import { strategyChooser } from '../schedule/portfolio.ts'
import { scheduleOrdinal } from '../tape/name.ts'
import { FULL_LENGTH } from './planner.ts'

const MAX_DEPTH = 5

/** The share of chance that something excluded is there all the same. */
const DOUBT = 0.05

export interface DepthTally {
  /** Whether there is but one input. */
  readonly soleInput: boolean
  /** Executions by PCT that count. */
  readonly executions: number
  /** The largest n and k of these. */
  readonly chains: number
  readonly points: number
  /**
   * For each depth from 1, the logarithm of the probability that a bug of that depth would have
   * been missed.
   */
  readonly missed: readonly number[]
}

export interface ExcludedDepth {
  /** Bugs of this depth and of every smaller one are excluded; 0 if none are. */
  readonly depth: number
  readonly executions: number
  readonly chains: number
  readonly points: number
}

export const NO_DEPTH: DepthTally = {
  soleInput: false,
  executions: 0,
  chains: 0,
  points: 0,
  missed: new Array(MAX_DEPTH).fill(0),
}

/** A tally with one more execution of its input; the same if that one does not count. */
export function addExecution(tally: DepthTally, { choices }: Plan, result: ExecutionResult): DepthTally {
  if (choices.from !== 'strategy' || choices.name.length < FULL_LENGTH || result.verdict !== 'passed') return tally
  const { estimates } = choices
  const [chains, points] = [Math.max(1, estimates.chains), Math.max(1, estimates.points)]
  if (result.points === 0 || result.points > points || result.chains > chains) return tally
  const { aimsAt } = strategyChooser(choices.strategy)(scheduleOrdinal(choices.name.seed))
  if (aimsAt === undefined) return tally
  const hit = (depth: number) => 1 / (chains * points ** (depth - 1))
  return {
    ...tally,
    executions: tally.executions + 1,
    chains: Math.max(tally.chains, chains),
    points: Math.max(tally.points, points),
    missed: tally.missed.map((sum, at) => sum + Math.log1p(-Math.min(1 - 1e-12, aimsAt(at + 1) * hit(at + 1)))),
  }
}

/**
 * Of tallies of two inputs the one with more executions; tallies of one and the same input are
 * added.
 */
export function joinDepths(a: DepthTally, b: DepthTally): DepthTally {
  if (!a.soleInput || !b.soleInput) return b.executions > a.executions ? b : a
  return {
    soleInput: true,
    executions: a.executions + b.executions,
    chains: Math.max(a.chains, b.chains),
    points: Math.max(a.points, b.points),
    missed: a.missed.map((sum, at) => sum + b.missed[at]!),
  }
}

export function excludedDepth({ executions, chains, points, missed }: DepthTally): ExcludedDepth {
  const open = missed.findIndex((sum) => sum > Math.log(DOUBT))
  return { depth: open < 0 ? MAX_DEPTH : open, executions, chains, points }
}
