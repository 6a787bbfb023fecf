/**
 * The system under test as the simulation sees it: nodes that react to events. Actors in this
 * process and programs over stdio implement `System`; the simulation decides the network, the
 * clocks, the faults and the order of events.
 *
 * Invariant: a node only reacts. Its reaction is a function of the events so far, so an execution
 * is a function of the tape.
 */

/**
 * The name of a node.
 *
 * @public
 */
export type NodeId = string

/**
 * Plain data: what JSON can represent.
 *
 * @public
 */
export type Data = unknown

/**
 * One event of a node.
 *
 * @public
 */
export type NodeEvent =
  /** The node starts for the first time. */
  | { readonly type: 'start'; readonly node: NodeId }
  | { readonly type: 'deliver'; readonly node: NodeId; readonly from: NodeId; readonly message: Data }
  /** A timer of the node fires. */
  | { readonly type: 'timeout'; readonly node: NodeId; readonly timer: string }
  /** A client sends a request. */
  | { readonly type: 'request'; readonly node: NodeId; readonly id: number; readonly request: Data }
  /** The node loses its timers and everything it did not persist; its effects are ignored. */
  | { readonly type: 'crash'; readonly node: NodeId }
  /** The node starts again with its durable data. */
  | { readonly type: 'restart'; readonly node: NodeId }

/**
 * Receives what a node does in reaction to an event. Every method throws an `Error` for a wrong
 * argument (an unknown node, a delay that is not a number).
 *
 * @public
 */
export interface Effects {
  send(to: NodeId, message: Data): void
  /** Sets or replaces a timer. @param delayMs virtual time, in milliseconds */
  setTimer(timer: string, delayMs: number): void
  clearTimer(timer: string): void
  /** Replies to a request. */
  reply(request: number, reply: Data): void
  /** Reports an event inside the node, for logs and models. */
  event(name: string, data: Data): void
  /** Virtual time, in milliseconds. */
  readonly nowMs: number
  /** A float in [0, 1), drawn from the tape. */
  random(): number
}

/**
 * A system under test: nodes that answer events.
 *
 * @public
 */
export interface System<State = unknown> {
  readonly nodes: readonly NodeId[]
  /** Whether nodes can crash; a cluster with crashes is refused otherwise. Default: true. */
  readonly crashes?: boolean
  /**
   * Whether messages, replies and events are plain data that nobody else has, and messages and requests are
   * only read, so that norn need not copy either. Default: false.
   */
  readonly sharesNothing?: boolean
  /** Hits of the system's own branches or lines in this execution, which guide the search. */
  readonly counters?: Uint32Array | undefined
  /** Begins an execution: every node is as if it had never run. */
  reset(): void
  /** Handles one event. An exception is a failure of the system under test. */
  perform(event: NodeEvent, effects: Effects): void
  /**
   * Called before several events of one time that follow each other whatever the nodes do, unless the
   * execution fails. A system may handle them at once, and hand out the reactions by `perform`.
   */
  foresee?(events: readonly NodeEvent[], nowMs: number): void
  /** The visible state of a node; undefined if it has none. Callers do not change it. */
  state(node: NodeId): State
  /** Called when a message is lost. No node reacts; a system may keep count. @param nowMs virtual time */
  lost?(from: NodeId, to: NodeId, message: Data, nowMs: number): void
  /**
   * Called after the execution. An exception fails the execution, unless it has failed already;
   * the next `reset` must bring the system back into working order.
   */
  finish?(): void
}

/** Every pair of nodes is a channel, and every channel has several numbers of steps. */
const MAX_NODES = 200

/** @throws TypeError that says what is wrong with the result of the option `system` */
export function assertSystem(system: System): void {
  const given: unknown = system
  const isSystem =
    typeof given === 'object' && given !== null && Array.isArray(system.nodes) && typeof system.perform === 'function'
  if (!isSystem) {
    const what = given instanceof Object && 'then' in given ? 'a promise' : String(given)
    throw new TypeError(`\`system\` returned ${what}: it must return a system, such as \`actors({ … })\``)
  }
  const { nodes } = system
  if (nodes.length === 0) throw new TypeError('the system has no nodes: a cluster has at least one')
  if (nodes.length > MAX_NODES)
    throw new TypeError(`the system has ${nodes.length} nodes: there may be ${MAX_NODES} at most`)
  for (const [index, node] of nodes.entries()) {
    if (typeof node !== 'string' || node === '')
      throw new TypeError(`node ${index} of the system has no name: it must be a non-empty string`)
    if (nodes.indexOf(node) !== index) throw new TypeError(`two nodes of the system are called '${node}'`)
  }
}
