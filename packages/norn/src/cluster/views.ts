/** What checks, predicates and mappers see of a cluster. */
import type { LogEntry } from './log.ts'
import type { NodeId } from './system.ts'

/** Data of the user's own: its type is his to know. */
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
  /** What it lets be seen of itself. */
  readonly state: Seen
}

/**
 * A message that is under way.
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
 * An execution as checks, predicates and mappers see it, at one moment.
 *
 * @public
 */
export interface ClusterView {
  readonly nodes: readonly NodeView[]
  node(id: NodeId): NodeView
  /** What happened so far. */
  readonly log: readonly LogEntry[]
  /** The messages under way, the oldest first. */
  readonly messages: readonly MessageView[]
  /** Requests made so far, with their replies, by id. */
  readonly requests: readonly RequestView[]
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
  /** In the order in which they came; none yet if it is empty. */
  readonly replies: readonly Seen[]
}
