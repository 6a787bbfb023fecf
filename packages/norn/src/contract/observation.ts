/**
 * Feedback of an execution that guides the search: raw and cheap to collect.
 *
 * An observation is valid until the next execution of the same executor, which reuses its arrays.
 */
import type { Product, TapeRecord } from './choices.ts'
import type { LogEntry } from './cluster-record.ts'
import type { FramesReached } from './key-frames.ts'

export interface Observation {
  /** Hits of each branch and block: one array a file, in the order in which files were loaded. */
  readonly counters: readonly Counters[]
  /** Comparisons of the program; undefined if they were not traced. */
  readonly comparisons: ComparisonLog | undefined
  /** Tasks in the order in which they ran, each as a 32-bit hash of its label. */
  readonly order: readonly number[]
  /**
   * The happens-before class, a 32-bit hash: equal for executions in which the effects on each
   * resource have the same order.
   */
  readonly happensBefore: number
  /** How often the body reached each `note`. */
  readonly notes: ReadonlyMap<string, number>
  /** The largest value of each `target`. */
  readonly targets: ReadonlyMap<string, number>
  /** The schedule points, in the order of time. */
  timeline(): readonly Moment[]
  /** Values that generators made; empty unless comparisons were traced. */
  readonly products: readonly Product[]
  choices(): TapeRecord
  /** Undefined where nothing is instrumented. */
  readonly numbering?: Numbering | undefined
  /**
   * What estimates count as species, as 32-bit numbers that are the same in every process;
   * undefined where they are orders of tasks, and branches.
   */
  species?(): readonly number[]
  /** Whether species that it reached may be missing, so that estimates leave it out. */
  readonly isPartial?: boolean
  /** Undefined unless the execution simulates a cluster. */
  readonly cluster?: ClusterObservation
}

export interface ClusterObservation {
  /** The happens-before class: 53 bits. */
  readonly trace: number
  /** Whether there is a model that did not follow; see `Observing.model`. */
  readonly isUnfollowed?: boolean
  /** Ids of the abstract states reached, each once. */
  readonly states: readonly number[]
  /** For each state, the scheduled step that reached it first. */
  readonly stateSteps: readonly number[]
  /** For each scheduled step, whether it was possible. */
  readonly performed: readonly boolean[]
  /** The scheduled steps that were drawn with the weights of the plan. */
  readonly drawn: DrawnSteps
  /** The meaning of step numbers: a `StepCodes` of cluster/steps.ts. */
  readonly codes: unknown
  /** The pairs of consecutive kinds of events at a node; computed on demand. */
  orders(): EventOrders
  /** Species for estimates, see `Observation.species`; computed on demand. */
  species(): readonly number[]
  /** Hits of branches or lines of the system itself, if it counts them; as many in each execution. */
  readonly counters?: Counters
  /** Counts for the report of what never happened. */
  readonly happened?: Happened
  /** The key frames reached; undefined unless some were requested. */
  readonly frames?: readonly FramesReached[]
}

/** By step; holes where a step was not drawn with weights. */
export interface DrawnSteps {
  /** The class of the step: see cluster/step-classes.ts. */
  readonly classes: (number | undefined)[]
  /** A number for the states of all nodes before it. */
  readonly situations: (number | undefined)[]
}

export interface EventOrders {
  /** Distinct pairs of consecutive events, as 32-bit hashes of their kinds. */
  readonly pairs: readonly number[]
  /** For each pair, the scheduled step of the second event at its first occurrence. */
  readonly steps: readonly number[]
}

/** What happened in an execution of a cluster, and what could have happened. */
export interface Happened {
  readonly log: readonly LogEntry[]
  /** Occurrences of each fault that is allowed: `crashes`, `drops`, `duplicates`, `partitions`. */
  readonly faults: Readonly<Record<string, number>>
  /** The actions of the model; undefined without a model. */
  readonly actions?: readonly string[]
  /** Whether the model only guides, so that the mapping leaves out actions that change nothing. */
  readonly isGuideOnly?: boolean
  /** Whether it reached abstract states beyond the limit of ids, which count as one. */
  readonly crowdedOut?: boolean
  /** Whether there is a model that did not follow. */
  readonly isUnfollowed?: boolean
  /** The entries that the model followed. */
  readonly followed: readonly Followed[]
}

/** An entry of the log, once for each action that it maps to. */
interface Followed {
  readonly entry: LogEntry
  /** Undefined if the entry maps to no action. */
  readonly action?: string | undefined
  /** Why the model did not allow it; undefined if it did. */
  readonly reason?: string | undefined
}

/**
 * What gives counters and sites of comparisons their numbers: the files, in the order of loading. Each
 * entry is a digest of a file and those before it, so equal entries of two processes mean equal numbers.
 */
export interface Numbering {
  readonly counters: readonly string[]
  readonly sites: readonly string[]
}

/** A schedule point of an execution. */
export interface Moment {
  /** The label of its step, and the causal chain of that. */
  readonly step: string
  readonly chain: string
  readonly point: 'effect' | 'callback' | 'timer'
  /** When it happened, in microseconds of virtual time. */
  readonly atUs: number
  /** The earliest time at which it could have happened. */
  readonly dueUs: number
}

export type Counters = Uint8Array | Uint8ClampedArray | Uint16Array | Uint32Array

/** An operand of a comparison: a value that mutators can write into choices. */
export type Operand = string | number | bigint | boolean | null | undefined

/**
 * `equal` (`===`, `==`, a `switch`, a key looked up among the keys of a Map or Set, an element
 * among those of an array), `order` (`<`, `<=`, `>`, `>=`), `prefix` (`left.startsWith(right)`),
 * `suffix`, `contains` (a substring).
 */
export type ComparisonKind = 'equal' | 'order' | 'prefix' | 'suffix' | 'contains'

/** The comparisons of one execution in order, up to a bound; stored in columns. */
export interface ComparisonLog {
  readonly length: number
  /** The place in the program, as a number that is stable within this process. */
  site(index: number): number
  kind(index: number): ComparisonKind
  left(index: number): Operand
  right(index: number): Operand
  /** Whether an operand is a literal. */
  isConstant(index: number, side: 'left' | 'right'): boolean
}
