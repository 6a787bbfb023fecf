/**
 * One trial: a search from one seed with a bound on executions; its coverage, and the execution
 * that found the bug.
 */
import { stepPlanner } from '../../packages/norn/src/cluster/search/step-policy.ts'
import type { CampaignPlanner } from '../../packages/norn/src/search/domain.ts'
import { parseGuide } from '../../packages/norn/src/search/guide.ts'
import { checkpointsUpTo, valuesAt } from '../statistics/checkpoints.ts'
import { microbenchmark, SeededBug } from './actors.ts'
import { executeDirectly } from './direct.ts'
import type { Size } from './model.ts'
import { ModelFuzzPlanner } from './modelfuzz-planner.ts'

/** What is compared: a guide, as `--guide` has it, and who makes something of it. */
export interface Technique {
  readonly guide: 'none' | 'trace' | 'model'
  readonly policy: 'norn' | 'modelfuzz'
}

export interface TrialOptions extends Size, Technique {
  readonly seed: number
  readonly executions: number
}

export interface TrialResult {
  /** The first execution that showed the bug, counted from 1; null if none did. */
  readonly foundAt: number | null
  /** Distinct abstract states at each of `checkpointsUpTo(executions)`. */
  readonly states: readonly number[]
  /** Real time, in milliseconds. */
  readonly timeMs: number
}

export function runTrial(options: TrialOptions): TrialResult {
  const { executions } = options
  const cluster = microbenchmark(options)
  const planner = plannerOf(options)
  const seen = new Set<number>()
  const discoveries: number[] = []
  let foundAt: number | null = null
  const from = performance.now()
  for (let execution = 1; execution <= executions; execution++) {
    const plan = planner.next()
    const { result, thrown } = executeDirectly(cluster, plan)
    if (thrown instanceof SeededBug) foundAt ??= execution
    else if (thrown !== undefined) throw thrown
    planner.observe(plan, result)
    for (const state of result.observation!.cluster!.states) {
      if (seen.has(state)) continue
      seen.add(state)
      discoveries.push(execution)
    }
  }
  const timeMs = performance.now() - from
  return { foundAt, states: valuesAt(checkpointsUpTo(executions), discoveries), timeMs }
}

export function plannerOf({ guide, policy, seed }: Technique & { readonly seed: number }): CampaignPlanner {
  const options = { seed, guide: parseGuide(guide), strategy: 'portfolio', examples: 0, resumed: [] }
  return policy === 'norn' ? stepPlanner(options) : new ModelFuzzPlanner(options)
}
