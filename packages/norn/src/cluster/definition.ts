/**
 * The options of a cluster: its system, network, faults, clients, and what must hold.
 */

import type fc from 'fast-check'
import type { ClockKind } from '../contract/wall-clock.ts'
import type { Mapping } from '../model/follower.ts'
import type { SearchLimits } from '../options/table.ts'
import type { FaultQuotas } from './faults/table.ts'
import type { KeyFrames } from './frames/key-frames.ts'
import type { LogEntry } from './log.ts'
import type { NetworkOptions } from './network.ts'
import type { NodeId, System } from './system.ts'
import type { ClusterView } from './views.ts'

export type { ClusterView, MessageView, NodeView, RequestView } from './views.ts'

/**
 * What must become true in the fault-free phase.
 *
 * @public
 */
export interface Liveness<State = unknown, Request = unknown> {
  /** Its name in the failure message. */
  readonly what: string
  readonly holds: (view: ClusterView<State, Request>) => boolean
  /** The time limit, in milliseconds of virtual time. Default: 10,000. */
  readonly withinMs?: number
}

/**
 * How a model follows an execution. The entries that one event adds to the log (a delivery, and what
 * its receiver sends and reports) belong together: `actions` sees the cluster right after the last.
 *
 * @public
 */
export type ModelBinding<State = unknown, Request = unknown> = Mapping<LogEntry, ClusterView<State, Request>>

/**
 * The options of a cluster.
 *
 * @public
 */
export interface ClusterOptions<Request = unknown, State = unknown> extends SearchLimits {
  /** Makes the system; called at the beginning of each execution. */
  readonly system: () => System<State>
  /** The maximum number of scheduled steps in an execution. Default: 100. */
  readonly steps?: number
  readonly network?: NetworkOptions
  readonly faults?: FaultQuotas
  /** Crashed nodes stay down in the fault-free phase instead of being restarted. Default: false. */
  readonly permanentCrashes?: boolean
  /** The requests of clients, in order. Default: none. */
  readonly requests?: fc.Arbitrary<readonly Request[]> | readonly Request[]
  /** The node that gets a request, or those that may. Default: any node. The schedule decides. */
  readonly route?: (request: Request, index: number) => NodeId | readonly NodeId[]
  /**
   * The interval between requests under the default schedule, in milliseconds of virtual time.
   * Default: 10.
   */
  readonly requestEveryMs?: number
  /** Throws if the cluster is in a wrong state; called after every event. */
  readonly invariant?: (view: ClusterView<State, Request>) => void
  /** Throws if the execution is wrong; called at its end. */
  readonly check?: (view: ClusterView<State, Request>) => void
  readonly eventually?: Liveness<State, Request>
  readonly model?: ModelBinding<State, Request>
  /**
   * Names of events (`Effects.event`) that some execution must report; otherwise the cluster is
   * inconclusive.
   */
  readonly required?: readonly string[]
  /** In which ways the clock varies that code of nodes reads, as the option of a property. Default: none. */
  readonly clock?: readonly ClockKind[]
  /** Names of events that models and checks need, but diagrams leave out. Default: none. */
  readonly quiet?: readonly string[]
  /**
   * Executions to remember, by the moments they pass: searched for by `norn fuzz --until-frames`.
   */
  readonly frames?: readonly KeyFrames[]
}
