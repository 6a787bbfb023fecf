/**
 * A system under test as the simulation sees it: some nodes that answer to events. What they are
 * made of (actors in this process, a foreign program over stdio) is behind `System`; the network,
 * the clocks, the faults and the order of all events are the simulation's.
 *
 * Invariant: a node does nothing of its own accord. Everything it does is its answer to one event,
 * and a function of the events so far; so an execution is a function of the tape.
 */

/**
 * The name of a node.
 *
 * @public
 */
export type NodeId = string

/**
 * Plain data, as JSON writes it.
 *
 * @public
 */
export type Data = unknown

/**
 * One thing that happens to a node.
 *
 * @public
 */
export type NodeEvent =
  /** It begins for the first time. */
  | { readonly type: 'start'; readonly node: NodeId }
  | { readonly type: 'deliver'; readonly node: NodeId; readonly from: NodeId; readonly message: Data }
  /** A timer that it set has run out. */
  | { readonly type: 'timeout'; readonly node: NodeId; readonly timer: string }
  /** A client asks for something. */
  | { readonly type: 'request'; readonly node: NodeId; readonly id: number; readonly request: Data }
  /** It loses all but what it made durable, its timers too. Nothing it answers counts. */
  | { readonly type: 'crash'; readonly node: NodeId }
  /** It begins again with what it had made durable. */
  | { readonly type: 'restart'; readonly node: NodeId }

/**
 * Takes what a node does in answer to an event, as it does it.
 *
 * Every call throws an `Error` for people where it makes no sense (a node that does not exist, a
 * delay that is no number).
 *
 * @public
 */
export interface Effects {
  send(to: NodeId, message: Data): void
  /**
   * Sets a timer of the node, or sets it anew. @param delayMs virtual time from now, in
   * milliseconds
   */
  setTimer(timer: string, delayMs: number): void
  clearTimer(timer: string): void
  /** Answers a request. */
  reply(request: number, reply: Data): void
  /** Says that something happened inside, for logs and models. */
  event(name: string, data: Data): void
  /** Virtual time, in milliseconds. */
  readonly nowMs: number
  /** A float in [0, 1), drawn from the tape's chance. */
  random(): number
}

/**
 * A system under test: nodes that answer events.
 *
 * @public
 */
export interface System {
  readonly nodes: readonly NodeId[]
  /** Begins an execution: all nodes are as if they had never run. */
  reset(): void
  /** Lets one thing happen. What it throws is a failure of the system under test. */
  perform(event: NodeEvent, effects: Effects): void
  /** What a node lets be seen of itself; undefined if nothing. Not to be changed. */
  state(node: NodeId): Data
  /** A message will never reach its receiver. No node does anything; a system may keep count. */
  lost?(from: NodeId, to: NodeId, message: Data): void
  /**
   * After the execution; a system that cannot be used again makes itself anew at the next reset.
   * What it throws is a failure of the execution, unless that has failed already.
   */
  finish?(): void
}
