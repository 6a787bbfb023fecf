/**
 * Searches a cluster without the world: a planner's plans, one after the other, and what came of
 * them.
 */
import { executeDirectly } from '../../../../../../bench/microbenchmark/direct.ts'
import type { ClusterOptions } from '../../../../src/cluster/definition.ts'
import type { ExecutionResult } from '../../../../src/contract/execution.ts'
import type { Plan } from '../../../../src/contract/plan.ts'
import { scheduleOf } from '../../../../src/domains/cluster/search/schedule.ts'
import { parseGuide } from '../../../../src/options/guide.ts'
import type { CampaignPlanner, GuidedOptions } from '../../../../src/search/domain.ts'

export interface Searched {
  readonly plan: Plan
  readonly result: ExecutionResult
  /** What it threw; undefined if it passed. */
  readonly thrown: unknown
  readonly isUnguided: boolean
  /** The numbers of the steps that it drew. */
  readonly steps: readonly number[]
  /** Abstract states that no execution before had reached. */
  readonly newStates: number
}

export function optionsOf(guide: string, more: Partial<GuidedOptions> = {}): GuidedOptions {
  return { seed: 1, strategy: 'portfolio', examples: 0, guide: parseGuide(guide), resumed: [], ...more }
}

export function search(cluster: ClusterOptions, planner: CampaignPlanner, executions: number): Searched[] {
  const known = new Set<number>()
  return Array.from({ length: executions }, () => {
    const plan = planner.next()
    const { isUnguided } = planner
    const { result, thrown } = executeDirectly(cluster, plan)
    planner.observe(plan, result)
    const before = known.size
    for (const state of result.observation!.cluster!.states) known.add(state)
    const { steps } = scheduleOf(result.observation!.choices().schedule)
    return { plan, result, thrown, isUnguided, steps, newStates: known.size - before }
  })
}

/** The steps that a plan has choices for. */
export function plannedSteps({ choices }: Plan): readonly number[] {
  return choices.from === 'mutation' || choices.from === 'record' ? scheduleOf(choices.choices.schedule).steps : []
}
