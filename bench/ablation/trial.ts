/** One trial: a search of one system from one seed, with some pieces of the policy. */

import type { ExecutionResult } from '../../packages/norn/src/contract/execution.ts'
import { ALL_PIECES, type Pieces } from '../../packages/norn/src/domains/cluster/search/pieces.ts'
import { stepPlanner } from '../../packages/norn/src/domains/cluster/search/step-policy.ts'
import { NOTHING } from '../../packages/norn/src/options/guide.ts'
import { executeDirectly } from '../microbenchmark/direct.ts'
import { SYSTEMS } from './systems.ts'

/** No guide; all pieces; or all but one. */
export type Variant = 'none' | 'all' | keyof Pieces

export const VARIANTS: readonly Variant[] = ['none', 'all', ...(Object.keys(ALL_PIECES) as (keyof Pieces)[])]

export interface TrialOptions {
  readonly system: string
  readonly variant: Variant
  readonly seed: number
  /** Numbers of executions, ascending. */
  readonly checkpoints: readonly number[]
}

export interface TrialResult {
  /** Distinct abstract states at each checkpoint. */
  readonly states: readonly number[]
  /** Processor time of this process until the last checkpoint, in milliseconds. */
  readonly cpuMs: number
}

export function runTrial({ system, variant, seed, checkpoints }: TrialOptions): TrialResult {
  const { guide, cluster } = SYSTEMS.find(({ name }) => name === system)!
  const made = cluster()
  const guided = variant === 'none' ? NOTHING : guide
  const options = { seed, guide: guided, strategy: 'portfolio', examples: 0, resumed: [] }
  const planner = stepPlanner(options, undefined, variant in ALL_PIECES ? { [variant]: false } : {})
  const seen = new Set<number>()
  const states: number[] = []
  const from = process.cpuUsage()
  for (let execution = 1; states.length < checkpoints.length; execution++) {
    const plan = planner.next()
    const { result } = executeDirectly(made, { ...plan, observe: { ...plan.observe!, model: true } })
    for (const state of result.observation!.cluster!.states) seen.add(state)
    planner.observe(plan, plan.observe!.model ? result : unfollowed(result))
    if (execution === checkpoints[states.length]) states.push(seen.size)
  }
  const { user, system: kernel } = process.cpuUsage(from)
  return { states, cpuMs: (user + kernel) / 1000 }
}

/** As if the model had not followed, which then only counts. */
function unfollowed(result: ExecutionResult): ExecutionResult {
  const observation = result.observation!
  const cluster = { ...observation.cluster!, states: [], stateSteps: [], isUnfollowed: true }
  return { ...result, observation: { ...observation, cluster } }
}
