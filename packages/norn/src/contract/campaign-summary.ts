/** What a campaign counted, at its end or so far. Plain data that crosses processes. */
import type { FaultKind } from './execution.ts'
import type { FramesProgress, FramesState } from './key-frames.ts'
import type { VacuityTally } from './vacuity.ts'

/** How executions ended. A flaky failure is also a failed execution. */
export interface ExecutionCounts {
  readonly passed: number
  /** The property rejected the input (`fc.pre`). */
  readonly discarded: number
  readonly failed: number
  readonly voided: number
  readonly flaky: number
}

export interface CampaignSummary extends DomainSummary, ExecutionCounts {
  readonly executions: number
  readonly distinctFailures: number
  /** Executions with a failure that was reported before the search; absent if there was none. */
  readonly failedAsBefore?: number
  /** Faults injected in all executions. */
  readonly faults: number
  /** Maxima of one execution: operations that could have met a fault, schedule points, chains. */
  readonly maxFaultPoints: number
  readonly maxPoints: number
  readonly maxChains: number
  /** Labels of the notes reached. */
  readonly notes: readonly string[]
  /** Labels of the required notes not reached. */
  readonly missed: readonly string[]
  /** Options that name a host or an operation that no execution had; absent if none. */
  readonly unmatched?: readonly string[]
  /** Kinds of faults that are allowed, of which none was injected; absent if there is no such kind. */
  readonly uninjected?: readonly FaultKind[]
  /** Undefined without guidance. */
  readonly guided?: GuidedState
  /** The counts for the estimate of the residual risk. */
  readonly stop: StopTally
}

/** Whether the property rejected every input. */
export function isAllDiscarded({ executions, discarded }: CampaignSummary): boolean {
  return executions > 0 && discarded === executions
}

/** Results of a campaign that some domains have. */
export interface DomainSummary {
  /** How often each kind of event happened. */
  readonly vacuity?: VacuityTally
  /** How far executions got through the key frames. */
  readonly frames?: readonly FramesState[]
}

/** Details of the progress of a campaign that some domains have. */
export interface DomainProgress {
  /** Key frames reached, of those requested. */
  readonly frames?: FramesProgress
}

/** What guidance has collected. */
export interface GuidedState {
  readonly branches: number
  readonly order: number
  readonly classes: number
  readonly corpus: number
  readonly objectives: number
  readonly unstable: number
  /** Happens-before classes of executions; undefined if the domain has none. */
  readonly traces?: number
  /** Abstract states of the model; undefined if the domain has none. */
  readonly states?: number
  /** The execution that last showed something new. */
  readonly lastDiscovery: number
}

export interface ShrinkSummary {
  readonly executions: number
  readonly improvements: number
  /** Whether the result is 1-minimal: every pass has run on it, and none found anything simpler. */
  readonly complete: boolean
  /** The bound that ended it, if it is not complete. */
  readonly stoppedBy?: 'executions' | 'time'
}

/** The counts of one worker for the estimate of the residual risk: plain data that can be added up. */
export interface StopTally {
  /** Of the samples of which an execution was observed. */
  readonly species: SpeciesTally
  /** Unguided executions. */
  readonly unguided: number
  /** Those of them in samples, which exclude examples. */
  readonly sampled: number
  /** Those of them whose species were observed. */
  readonly observed: number
  /** Independent samples: inputs, or executions if there is only one input. */
  readonly samples: number
  /** Guided executions. */
  readonly guided: number
  /** The number of the execution that last showed a new species. */
  readonly lastDiscovery: number
  /** Whether inputs or schedules could vary. */
  readonly varied: boolean
  readonly depth: DepthTally
  /** The schedules of a single input. */
  readonly soleInput: number
  /** With several inputs: how many had each number of schedules. */
  readonly schedules: readonly (readonly [schedules: number, inputs: number])[]
  /** Executions that ran twice, and those of them that differed. */
  readonly repeated: number
  readonly differed: number
  /** Injected faults, by operation and kind. */
  readonly faults: readonly FaultCount[]
}

export interface FaultCount {
  readonly operation: string
  /** An error code, or `short`. */
  readonly fault: string
  readonly count: number
}

/** The species seen; see search/species.ts. */
export interface SpeciesTally {
  readonly samples: number
  /** Each species kept represents 2^halvings. */
  readonly halvings: number
  /** A hash of each species kept. */
  readonly kept: Uint32Array
  /** The number of samples in which each was seen; 255 for more. */
  readonly seenIn: Uint8Array
}

/** What excludes bugs of small depth; see search/depth-excluded.ts. */
export interface DepthTally {
  /** Whether the property has a single input. */
  readonly soleInput: boolean
  /** Executions that count. */
  readonly executions: number
  /** Their largest n and k. */
  readonly chains: number
  readonly points: number
  /** For each depth from 1, the logarithm of the probability of missing a bug of that depth. */
  readonly missed: readonly number[]
}
