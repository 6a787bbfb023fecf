/**
 * One trial: a search from one seed with a bound on executions; its coverage, and the execution
 * that found the bug.
 */
import { stepPlanner } from '../../packages/norn/src/domains/cluster/search/step-policy.ts'
import { parseGuide } from '../../packages/norn/src/options/guide.ts'
import type { CampaignPlanner } from '../../packages/norn/src/search/domain.ts'
import { checkpointsUpTo, valuesAt } from '../statistics/checkpoints.ts'
import { microbenchmark, SeededBug } from './actors.ts'
import { executeDirectly } from './direct.ts'
import type { Size } from './model.ts'
import { ModelFuzzPlanner } from './modelfuzz-planner.ts'
import { PublishedCampaign } from './published/campaign.ts'

/** What is compared: a guide, as `--guide` has it, and who makes something of it. */
export interface Technique {
  readonly guide: 'none' | 'trace' | 'model'
  /** `published` and `repaired` are ModelFuzz's harness as it is, and repaired (published/). */
  readonly policy: 'norn' | 'modelfuzz' | 'published' | 'repaired'
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
  const next = searchOf(options)
  const seen = new Set<number>()
  const discoveries: number[] = []
  let foundAt: number | null = null
  const from = performance.now()
  for (let execution = 1; execution <= executions; execution++) {
    const { states, hasFailed } = next()
    if (hasFailed) foundAt ??= execution
    for (const state of states) {
      if (seen.has(state)) continue
      seen.add(state)
      discoveries.push(execution)
    }
  }
  const timeMs = performance.now() - from
  return { foundAt, states: valuesAt(checkpointsUpTo(executions), discoveries), timeMs }
}

/** Runs one more execution of a search, and returns what it reached. */
type Search = () => { readonly states: readonly number[]; readonly hasFailed: boolean }

function searchOf({ policy, ...options }: TrialOptions): Search {
  if (policy === 'published' || policy === 'repaired') {
    const campaign = new PublishedCampaign({ ...options, isRepaired: policy === 'repaired' })
    return () => campaign.next()
  }
  const cluster = microbenchmark(options)
  const planner = plannerOf({ ...options, policy })
  return () => {
    const plan = planner.next()
    const { result, thrown } = executeDirectly(cluster, plan)
    if (thrown !== undefined && !(thrown instanceof SeededBug)) throw thrown
    planner.observe(plan, result)
    return { states: result.observation!.cluster!.states, hasFailed: thrown !== undefined }
  }
}

interface Planned {
  readonly guide: Technique['guide']
  readonly policy: 'norn' | 'modelfuzz'
  readonly seed: number
}

export function plannerOf({ guide, policy, seed }: Planned): CampaignPlanner {
  const options = { seed, guide: parseGuide(guide), strategy: 'portfolio', examples: 0, resumed: [] }
  return policy === 'norn' ? stepPlanner(options) : new ModelFuzzPlanner(options)
}
