/** Which execution of a cluster comes next. */
import type { CampaignPlanner } from '../../explore/campaign.ts'
import type { ExecutionResult, Plan } from '../../explore/execution.ts'
import type { GuidedPlannerOptions } from '../../explore/guided/guided-planner.ts'
import { Planner } from '../../explore/planner.ts'

export class ClusterPlanner implements CampaignPlanner {
  readonly isUnguided = true
  readonly #unguided: Planner

  constructor(options: GuidedPlannerOptions) {
    this.#unguided = new Planner(options)
  }

  next(): Plan {
    return this.#unguided.next()
  }

  observe(_: Plan, result: ExecutionResult): void {
    this.#unguided.observe(result)
  }
}
