/**
 * A domain: everything that the engine does not know about the executions that it searches. The two
 * domains are the latencies of programs under the world, and the steps of clusters.
 */
import type { DomainSummary, GuidedState, ShrinkSummary } from '../contract/campaign-summary.ts'
import type { Choices } from '../contract/choices.ts'
import type { ExecutionResult, Executor } from '../contract/execution.ts'
import type { KeyFramesData } from '../contract/key-frames.ts'
import type { InputPlan, Plan } from '../contract/plan.ts'
import type { Guide, GuideName } from '../options/guide.ts'
import type { EntryMetadata } from './entry-metadata.ts'

export interface Domain {
  /** The feedback that executions of the domain can have. */
  readonly guides: readonly GuideName[]
  /** Plans executions. */
  planner(options: GuidedOptions): CampaignPlanner
  /**
   * Shrinks a failing execution until nothing simpler is found, a bound is reached or time is up.
   */
  shrink(executor: Executor, input: InputPlan, failing: ExecutionResult, expired: () => boolean): Promise<ShrinkOutcome>
  /** Whether one failing execution is simpler than another. */
  isSimpler(one: ExecutionResult, other: ExecutionResult): boolean
  /**
   * Variants of a recorded failure with which changed code may still fail, the nearest first.
   *
   * @param now an execution of the changed code that followed the record and passed
   */
  neighbours(recorded: Choices, now: ExecutionResult): readonly Choices[]
}

/** Options that some domains read. */
export interface DomainOptions {
  /** Key frames to reach; the search ends once all are reached. */
  readonly frames?: readonly KeyFramesData[]
}

export interface PlannerOptions {
  readonly seed: number
  readonly strategy: string
  /** The number of examples. */
  readonly examples: number
}

export interface GuidedOptions extends PlannerOptions, DomainOptions {
  readonly guide: Guide
  /** Records of earlier campaigns; they run before any mutation. */
  readonly resumed: readonly Resumed[]
  /** The number of first plans that do not run; none of them is a record of an earlier campaign. */
  readonly skip?: number
  readonly corpusObserver?: CorpusObserver
}

export interface CampaignPlanner {
  /** Whether the latest plan was drawn at random, without feedback. */
  readonly isUnguided: boolean
  next(): Plan
  observe(plan: Plan, result: ExecutionResult): void
  /** Undefined without guidance. */
  readonly state?: GuidedState | undefined
  /** What the next campaign can start with. */
  readonly kept?: KeptOfCampaign | undefined
  /** Whether the goal of the search is reached; undefined without a goal. */
  readonly isDone?: boolean
  readonly summary?: DomainSummary
}

/** An execution worth mutating. */
export interface CorpusEntry {
  readonly input: InputPlan
  readonly record: Choices
  /** Undefined if no other process reads the corpus. */
  readonly metadata?: EntryMetadata | undefined
}

/** A record of another campaign. */
export interface Resumed {
  readonly choices: Choices
  /** Undefined if the process that added it wrote none. */
  readonly metadata?: EntryMetadata | undefined
  /** Whether that process searches beside this one: it was added since this campaign began. */
  readonly isLive?: boolean
}

/** The corpus, and records of earlier campaigns that have not run. */
export interface KeptOfCampaign {
  readonly entries: readonly CorpusEntry[]
  readonly unseen: readonly Choices[]
}

export interface CorpusObserver {
  added(entry: CorpusEntry): void
  removed(entry: CorpusEntry): void
  /** Records that other processes added since the last call. */
  poll?(): readonly Resumed[]
  /** This process in the metadata of its entries; undefined if no other process reads them. */
  readonly author?: string | undefined
  /** Executions between two polls where records have to run here first; a default if undefined. */
  readonly polledEvery?: number
}

export interface ShrinkOutcome {
  readonly result: ExecutionResult
  readonly summary: ShrinkSummary
}
