/** What checks, predicates and mappings see of a cluster. */
import type { LogEntry } from './log.ts'
import type { NodeId } from './system.ts'

/** Data of the user's own type. */
// biome-ignore lint/suspicious/noExplicitAny: anything narrower would make predicates begin with casts
export type Seen = any

/**
 * A node as checks see it.
 *
 * @public
 */
export interface NodeView {
  readonly id: NodeId
  readonly up: boolean
  /** Its visible state; undefined while it is down. */
  readonly state: Seen
}

/**
 * A message in flight.
 *
 * @public
 */
export interface MessageView {
  readonly id: number
  readonly from: NodeId
  readonly to: NodeId
  readonly message: Seen
}

/**
 * The view of an execution that checks, predicates and mappings get.
 *
 * @public
 */
export interface ClusterView {
  readonly nodes: readonly NodeView[]
  node(id: NodeId): NodeView
  /** The events so far. */
  readonly log: readonly LogEntry[]
  /** The messages in flight, oldest first. */
  readonly messages: readonly MessageView[]
  /** The requests so far, by id. */
  readonly requests: readonly RequestView[]
  /** Virtual time, in milliseconds. */
  readonly nowMs: number
}

/**
 * A request that a client made, as checks see it.
 *
 * @public
 */
export interface RequestView {
  readonly id: number
  readonly node: NodeId
  readonly request: Seen
  /** In the order of arrival. */
  readonly replies: readonly Seen[]
}
