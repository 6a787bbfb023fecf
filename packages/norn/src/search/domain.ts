/**
 * A domain: all that the engine has to be told about the executions it searches. Two domains exist,
 * latencies (programs under the world) and steps (clusters); the engine knows neither.
 */
import type { Choices } from '../contract/choices.ts'
import type { ExecutionResult, Executor } from '../contract/execution.ts'
import type { InputPlan, Plan } from '../contract/plan.ts'
import type { Guide } from './guide.ts'

export interface Domain {
  /** Decides which execution comes next. */
  planner(options: GuidedOptions): CampaignPlanner
  /**
   * Shrinks a failing execution, until nothing simpler is found, a bound is reached or the time is
   * up.
   */
  shrink(executor: Executor, input: InputPlan, failing: ExecutionResult, expired: () => boolean): Promise<ShrinkOutcome>
  /**
   * Variants of a recorded failure that changed code may still show, the nearest first.
   *
   * @param now an execution of the changed code that followed the record and passed
   */
  neighbours(recorded: Choices, now: ExecutionResult): readonly Choices[]
}

/**
 * Options of a campaign that only one domain reads; a domain adds its own by declaration merging.
 */
// biome-ignore lint/suspicious/noEmptyInterface: domains add to it
export interface DomainOptions {}

/** Results of a campaign that only one domain has; a domain adds its own by declaration merging. */
// biome-ignore lint/suspicious/noEmptyInterface: domains add to it
export interface DomainSummary {}

export interface PlannerOptions {
  readonly seed: number
  readonly strategy: string
  /** Examples written by hand. */
  readonly examples: number
}

export interface GuidedOptions extends PlannerOptions, DomainOptions {
  readonly guide: Guide
  /** Records kept by earlier campaigns: they run before anything is mutated. */
  readonly resumed: readonly Choices[]
  /**
   * The first plans, which are planned but not run; none of them is a record of an earlier
   * campaign.
   */
  readonly skip?: number
  readonly corpusObserver?: CorpusObserver
}

export interface CampaignPlanner {
  /** Whether the latest plan was drawn by chance alone. */
  readonly isUnguided: boolean
  next(): Plan
  observe(plan: Plan, result: ExecutionResult): void
  /** What guidance has gathered; undefined without guidance. */
  readonly state?: GuidedState | undefined
  /** What the next campaign can begin with. */
  readonly kept?: KeptOfCampaign | undefined
  /** Whether the goal of the search is reached; a search without a goal goes on. */
  readonly isDone?: boolean
  readonly summary?: DomainSummary
}

export interface GuidedState {
  readonly branches: number
  readonly order: number
  readonly classes: number
  readonly corpus: number
  readonly objectives: number
  readonly unstable: number
  /** The execution that last showed something new. */
  readonly lastDiscovery: number
  /** Clusters: happens-before classes of executions, and abstract states of the model. */
  readonly traces?: number
  readonly states?: number
}

/** An execution worth mutating. */
export interface CorpusEntry {
  readonly input: InputPlan
  readonly record: Choices
}

/** The entries of the corpus, and records of earlier campaigns that were not run yet. */
export interface KeptOfCampaign {
  readonly entries: readonly CorpusEntry[]
  readonly unseen: readonly Choices[]
}

export interface CorpusObserver {
  added(entry: CorpusEntry): void
  removed(entry: CorpusEntry): void
  /** Records that other processes added since the last call. */
  poll?(): readonly Choices[]
}

export interface ShrinkSummary {
  readonly executions: number
  readonly improvements: number
  /** Whether shrinking converged; otherwise a bound ended it. */
  readonly complete: boolean
}

export interface ShrinkOutcome {
  readonly result: ExecutionResult
  readonly summary: ShrinkSummary
}
