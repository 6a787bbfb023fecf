/**
 * The campaign: runs executions of one property until a failure is found or the budget is spent, tells distinct
 * failures apart, checks that they repeat, and shrinks them.
 *
 * Invariants: a failure is announced before it is shrunk, so that a kill loses at most the execution under way; what is
 * announced was seen twice with the same trace, or is called flaky. With a budget in runs everything that is announced
 * is a function of the seed.
 */
import type { ExecutionResult, Executor, Plan, VoidReport } from './execution.ts'
import { identity } from './identity.ts'
import { Planner } from './planner.ts'
import { type Provenance, provenance } from './provenance.ts'
import { type ShrinkSummary, shrink } from './shrink.ts'

export interface CampaignOptions {
  readonly seed: number
  readonly strategy: string
  readonly examples: number
  /** Executions to run at most. */
  readonly runs: number
  /** Whether the time is up; asked before every execution. */
  readonly expired: () => boolean
  /** Go on after a failure, looking for others. */
  readonly keepGoing: boolean
  readonly shrink: boolean
  /** Executions that were run before, by an executor that died: they are planned over again but not run. */
  readonly skip: number
}

/** A failure, as found or as shrunk. */
export interface FoundFailure extends Provenance {
  readonly identity: string
  readonly result: ExecutionResult
  /** The execution, counted from 1, in which it was first seen. */
  readonly foundAt: number
  readonly shrinking: ShrinkSummary | undefined
}

export interface FlakyFailure {
  readonly foundAt: number
  readonly first: ExecutionResult
  readonly second: ExecutionResult
}

export interface CampaignObserver {
  /** Before each execution. */
  starting(execution: number, plan: Plan): void
  /** A new failure, not shrunk yet. */
  found(failure: FoundFailure): void
  /** The same failure, as small as it got. */
  shrunk(failure: FoundFailure): void
  flaky(failure: FlakyFailure): void
  /** The first execution that lost control in this way. */
  voided(execution: number, report: VoidReport): void
}

export interface CampaignSummary {
  readonly executions: number
  readonly passed: number
  readonly failed: number
  readonly voided: number
  readonly flaky: number
  readonly distinctFailures: number
  /** Largest number of schedule points, and of causal chains, that an execution passed. */
  readonly maxPoints: number
  readonly maxChains: number
}

export async function campaign(
  executor: Executor,
  options: CampaignOptions,
  observer: CampaignObserver,
): Promise<CampaignSummary> {
  const planner = new Planner(options)
  const known = new Set<string>()
  const lost = new Set<string>()
  let executions = 0
  let [passed, failed, voided, flaky, maxPoints, maxChains] = [0, 0, 0, 0, 0, 0]
  while (executions < options.runs && !options.expired()) {
    const plan = planner.next()
    executions++
    if (executions <= options.skip) {
      // The first one tells whether there is input and schedule; with it, what follows is planned as it was before.
      if (executions === 1 && options.skip > 1) planner.observe(await executor.execute(plan))
      continue
    }
    observer.starting(executions, plan)
    const result = await executor.execute(plan)
    planner.observe(result)
    maxPoints = Math.max(maxPoints, result.points)
    maxChains = Math.max(maxChains, result.chains)
    if (result.verdict === 'passed') passed++
    if (result.verdict === 'void') {
      voided++
      const { what } = result.voided!
      if (!lost.has(what)) observer.voided(executions, result.voided!)
      lost.add(what)
    }
    if (result.verdict !== 'failed') continue
    failed++
    const key = identity(result.failure!)
    if (known.has(key)) continue
    known.add(key)
    const again = await executor.execute(replayPlan(plan, result))
    if (again.verdict !== 'failed' || again.traceHash !== result.traceHash || identity(again.failure!) !== key) {
      flaky++
      observer.flaky({ foundAt: executions, first: result, second: again })
      continue
    }
    const found: FoundFailure = {
      identity: key,
      result,
      foundAt: executions,
      ...provenance(plan),
      shrinking: undefined,
    }
    observer.found(found)
    const small = options.shrink ? await shrink(executor, plan.input, result, options.expired) : undefined
    observer.shrunk(small === undefined ? found : { ...found, result: small.result, shrinking: small.summary })
    if (!options.keepGoing) break
  }
  return { executions, passed, failed, voided, flaky, distinctFailures: known.size - flaky, maxPoints, maxChains }
}

/** The plan that replays exactly what a plan led to. */
function replayPlan(plan: Plan, result: ExecutionResult): Plan {
  return { input: plan.input, choices: { from: 'record', choices: result.choices! } }
}
