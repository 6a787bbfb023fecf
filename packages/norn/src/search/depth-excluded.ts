/**
 * The bug depth that executions by PCT exclude. In a program of n causal chains and k schedule
 * points, an execution that aims at depth d hits a bug of that depth with probability at least 1/(n
 * k^(d-1)) (Burckhardt et al., ASPLOS 2010). So depth d is excluded at 95 % once the probability
 * that all executions would have missed the bug is below 5 %.
 *
 * The bound holds for one input, so only the input that PCT tried most counts. An execution counts
 * if the bound applies to it: its tape did not end, the estimates it started with were not below
 * the actual n and k, and it aimed at this depth. schedule/pct.ts lists the other assumptions.
 */

import type { DepthTally } from '../contract/campaign-summary.ts'
import type { ExecutionResult } from '../contract/execution.ts'
import type { Plan } from '../contract/plan.ts'
import { strategyOf } from '../schedule/portfolio.ts'
import { FULL_LENGTH } from './planner.ts'

const MAX_DEPTH = 5

/** The probability that an excluded bug exists all the same. */
const DOUBT = 0.05

export interface ExcludedDepth {
  /** Bugs up to this depth are excluded; 0 for none. */
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

/** Adds an execution of the same input, if it counts. */
export function addExecution(tally: DepthTally, { choices }: Plan, result: ExecutionResult): DepthTally {
  if (choices.from !== 'strategy' || choices.name.length < FULL_LENGTH || result.verdict !== 'passed') return tally
  const { estimates } = choices
  const [chains, points] = [Math.max(1, estimates.chains), Math.max(1, estimates.points)]
  if (result.points === 0 || result.points > points || result.chains > chains) return tally
  const { aimsAt } = strategyOf(choices)
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

/** Adds tallies of one input; of tallies of two inputs, the one with more executions. */
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
