/**
 * What a user says of a cluster: the system, its network, the faults it has to stand, its clients,
 * and what must hold.
 */
import type fc from 'fast-check'
import type { Mapping } from '../model/follower.ts'
import type { SearchLimits } from '../property/search-options.ts'
import type { KeyFrames } from './frames/key-frames.ts'
import type { LogEntry } from './log.ts'
import type { NodeId, System } from './system.ts'
import type { ClusterView, Seen } from './views.ts'

export type { ClusterView, MessageView, NodeView, RequestView, Seen } from './views.ts'

/**
 * How messages travel.
 *
 * @public
 */
export interface NetworkOptions {
  /**
   * `fifo`: what one node sends to another arrives in order; `any`: in any order. `fifo` unless
   * set.
   */
  readonly order?: 'fifo' | 'any'
  /** Messages of one channel that a step delivers at most; 5 unless set. */
  readonly perStep?: number
  /**
   * How long a message takes where nobody interferes, in milliseconds of virtual time; 1 unless
   * set.
   */
  readonly latencyMs?: number
}

/**
 * How often each fault may happen in one execution; none unless set.
 *
 * @public
 */
export interface FaultQuotas {
  readonly crashes?: number
  readonly drops?: number
  readonly duplicates?: number
  readonly partitions?: number
}

/**
 * What must come true once the world is calm.
 *
 * @public
 */
export interface Liveness {
  /** What it is, as the failure calls it. */
  readonly what: string
  readonly holds: (view: ClusterView) => boolean
  /** Virtual time it may take, in milliseconds; 10,000 unless set. */
  readonly withinMs?: number
}

/**
 * How an execution is followed in a model. What one message brings about at its receiver (its
 * delivery, what it sends, what it says) is one moment; `actions` sees the cluster as it is right
 * after it.
 *
 * @public
 */
export type ModelBinding = Mapping<LogEntry, ClusterView>

/**
 * The options of a cluster.
 *
 * @public
 */
export interface ClusterOptions<Request = Seen> extends SearchLimits {
  /** Makes the system; called for each execution, before anything else. */
  readonly system: () => System
  /** Scheduled steps of an execution; 100 unless set. */
  readonly steps?: number
  readonly network?: NetworkOptions
  readonly faults?: FaultQuotas
  /**
   * Nodes that crashed stay down when the world becomes calm; they are restarted unless this is
   * set.
   */
  readonly permanentCrashes?: boolean
  /** What clients ask for, in order; nothing unless set. */
  readonly requests?: fc.Arbitrary<readonly Request[]> | readonly Request[]
  /** Where a request goes; the schedule decides unless set. */
  readonly route?: (request: Request, index: number) => NodeId
  /**
   * How long after each other requests come where nobody interferes, in milliseconds of virtual
   * time; 10 unless set.
   */
  readonly requestEveryMs?: number
  /** Must not throw after any event. */
  readonly invariant?: (view: ClusterView) => void
  /** Must not throw in the end. */
  readonly check?: (view: ClusterView) => void
  readonly eventually?: Liveness
  readonly model?: ModelBinding
  /**
   * Names of events (`Effects.event`) that some execution has to show; one that none shows leaves
   * the cluster undecided.
   */
  readonly required?: readonly string[]
  /**
   * Executions to remember, by the moments they pass: searched for by `norn fuzz --until-frames`.
   */
  readonly frames?: readonly KeyFrames[]
}
