/**
 * What an execution shows to those who guide the search, apart from how it ended: raw, and cheap to
 * take. What of it is worth something is decided in features.ts.
 *
 * An observation is valid until the next execution of the same executor begins: its arrays are
 * written over by that one.
 */
import type { Product, TapeRecord } from './choices.ts'
import type { LogEntry } from './cluster-record.ts'
import type { FramesObservation } from './key-frames.ts'

export interface Observation {
  /**
   * Hits of each branch and block, one array for each instrumented file, in the order in which the
   * files were loaded.
   */
  readonly counters: readonly Counters[]
  /** Comparisons that the program made; undefined if the execution did not trace them. */
  readonly comparisons: ComparisonLog | undefined
  /** The tasks in the order in which they ran, each by a hash of 32 bits of its label. */
  readonly order: readonly number[]
  /**
   * A hash of 32 bits of what is ordered against what: the order of the effects on each resource,
   * whatever happened in between on others. Executions with the same one differ in nothing that the
   * resources could tell.
   */
  readonly happensBefore: number
  /** How often the body passed each `note`. */
  readonly notes: ReadonlyMap<string, number>
  /** The largest value that the body gave for each `target`. */
  readonly targets: ReadonlyMap<string, number>
  /** When things took effect and called back, in the order of time. */
  timeline(): readonly Moment[]
  /** What generators made of the choices of the input, if comparisons were traced. */
  readonly products: readonly Product[]
  /** Every choice that was drawn, with its spans. */
  choices(): TapeRecord
  /** What a cluster showed; undefined if the execution is none of a cluster. */
  readonly cluster?: ClusterObservation
}

/** What an execution of a cluster showed, beside its log. */
export interface ClusterObservation {
  /** Its happens-before class: 53 bits. */
  readonly trace: number
  /**
   * Ids of the abstract states that it reached, each once, and the scheduled step at which each was
   * reached first.
   */
  readonly states: readonly number[]
  readonly stateSteps: readonly number[]
  /** For each scheduled step whether it was possible. */
  readonly performed: readonly boolean[]
  /** What the numbers of its steps mean: a `StepCodes` of cluster/steps.ts. */
  readonly codes: unknown
  /** Which kind of event came right after which at a node; made when asked for. */
  orders(): EventOrders
  /**
   * What estimates count as species, as numbers of 32 bits that are the same in every process; made
   * when asked for.
   */
  species(): readonly number[]
  /** What is counted to say what never happened. */
  readonly happened?: Happened
  /** How far it came with key frames; undefined unless some are asked for. */
  readonly frames?: FramesObservation
}

/**
 * Pairs of events, each by a hash of 32 bits of their kinds, once, and the scheduled step of the
 * first one's second event.
 */
export interface EventOrders {
  readonly pairs: readonly number[]
  readonly steps: readonly number[]
}

/** What happened in an execution of a cluster, and what could have. */
export interface Happened {
  readonly log: readonly LogEntry[]
  /**
   * How often each fault happened that the cluster allows: `crashes`, `drops`, `duplicates`,
   * `partitions`.
   */
  readonly faults: Readonly<Record<string, number>>
  /** The actions that the model knows; undefined if there is no model. */
  readonly actions?: readonly string[]
  /** Whether it reached abstract states for which there was no identity left: they count as one. */
  readonly crowdedOut?: boolean
  /** What the model was told of. */
  readonly followed: readonly Followed[]
}

/** An entry of the log, as the model was told of it: once for each action that it stands for. */
interface Followed {
  readonly entry: LogEntry
  /** Undefined if the entry stands for nothing that the model would do. */
  readonly action?: string | undefined
  /** Why it was not possible in the model; undefined if it was. */
  readonly reason?: string | undefined
}

/** A moment of an execution that could have been later. */
export interface Moment {
  /** The label of its step, and the causal chain of that. */
  readonly step: string
  readonly chain: string
  readonly point: 'effect' | 'callback' | 'timer'
  /**
   * When it came, and from when on it could have come, had nothing else run then: virtual time, in
   * microseconds.
   */
  readonly atUs: number
  readonly dueUs: number
}

export type Counters = Uint8Array | Uint8ClampedArray | Uint16Array | Uint32Array

/** What a comparison works on: values that can be written into a choice, or into several. */
export type Operand = string | number | bigint | boolean | null | undefined

/**
 * `equal` (`===`, `==`, a `switch`, a key looked up among the keys of a Map or Set, an element
 * among those of an array), `order` (`<`, `<=`, `>`, `>=`), `prefix` (`left.startsWith(right)`),
 * `suffix`, `contains` (a part of a text).
 */
export type ComparisonKind = 'equal' | 'order' | 'prefix' | 'suffix' | 'contains'

/**
 * The comparisons of one execution, in columns, in the order made; bounded, so not always all of
 * them.
 */
export interface ComparisonLog {
  readonly length: number
  /**
   * Which comparison of the program: a number that is the same in every execution of this process.
   */
  site(index: number): number
  kind(index: number): ComparisonKind
  left(index: number): Operand
  right(index: number): Operand
  /** Whether an operand is a constant of the program's text. */
  isConstant(index: number, side: 'left' | 'right'): boolean
}
