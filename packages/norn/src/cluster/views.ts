/** What checks, predicates and mappings see of a cluster. */
import type { LogEntry } from './log.ts'
import type { NodeId } from './system.ts'

/**
 * A node as checks see it.
 *
 * @public
 */
export interface NodeView<State = unknown> {
  readonly id: NodeId
  readonly up: boolean
  /** Its visible state; undefined while it is down. */
  readonly state: State
}

/**
 * A message in flight.
 *
 * @public
 */
export interface MessageView<Message = unknown> {
  readonly id: number
  readonly from: NodeId
  readonly to: NodeId
  readonly message: Message
}

/**
 * The view of an execution that checks, predicates and mappings get.
 *
 * @public
 */
export interface ClusterView<State = unknown, Request = unknown> {
  readonly nodes: readonly NodeView<State>[]
  node(id: NodeId): NodeView<State>
  /** The events so far. */
  readonly log: readonly LogEntry[]
  /** The messages in flight, oldest first. */
  readonly messages: readonly MessageView[]
  /** The requests so far, by id. */
  readonly requests: readonly RequestView<Request>[]
  /** Virtual time, in milliseconds. */
  readonly nowMs: number
}

/**
 * A request that a client made, as checks see it.
 *
 * @public
 */
export interface RequestView<Request = unknown> {
  readonly id: number
  readonly node: NodeId
  readonly request: Request
  /** In the order of arrival. */
  readonly replies: readonly unknown[]
}
