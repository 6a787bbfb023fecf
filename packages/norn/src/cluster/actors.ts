/**
 * Actors: nodes written in TypeScript, as classes or objects with handlers. See reducers.ts for
 * actors written as functions.
 *
 * An actor lives from a start to a crash, and loses its fields then. The next actor of the node
 * finds in `durable` what was persisted. Handlers are synchronous: an actor that needs an answer
 * sends a message and handles the answer when it arrives.
 */

import { copyAgain, copyData } from './plain-data.ts'
import { synchronous } from './synchronous.ts'
import type { Data, Effects, NodeEvent, NodeId, System } from './system.ts'

/**
 * What an actor can do inside a handler. Its functions can be destructured: `({ send }) => …`.
 *
 * @public
 */
export interface ActorContext {
  readonly id: NodeId
  /** All nodes of the cluster, including this one. */
  readonly nodes: readonly NodeId[]
  send(to: NodeId, message: Data): void
  /** Sends to all other nodes. */
  broadcast(message: Data): void
  /** Sets or replaces a timer. @param delayMs virtual time, in milliseconds */
  setTimer(timer: string, delayMs: number): void
  clearTimer(timer: string): void
  reply(request: number, reply: Data): void
  /** Reports an event, for logs, models and `required`. */
  event(name: string, data?: Data): void
  /** Replaces the durable data, atomically and at once, as after an fsync that succeeded. */
  persist(data: Data): void
  /** A copy of the durable data; undefined if nothing was persisted. */
  // biome-ignore lint/suspicious/noExplicitAny: the actor knows what it wrote
  readonly durable: any
  readonly nowMs: number
  random(): number
}

/**
 * The handlers of a node; events without a handler are ignored.
 *
 * @public
 */
export interface Actor {
  onStart?(): void
  /** The node restarts after a crash. Default: `onStart`. */
  onRestart?(): void
  // biome-ignore lint/suspicious/noExplicitAny: messages are of the user's own types
  onMessage?(message: any, from: NodeId): void
  onTimer?(timer: string): void
  // biome-ignore lint/suspicious/noExplicitAny: and so are requests
  onRequest?(request: any, id: number): void
  /** The state that checks see. Default: the actor itself. */
  readonly state?: Data
}

/**
 * Makes the actor of a node, on each start and restart.
 *
 * @public
 */
export type ActorFactory = (context: ActorContext) => Actor

/** What checks see of an actor: its `state`, or the actor itself. */
type ShownBy<Made extends Actor> = Made extends { readonly state: infer State } ? State : Made

/**
 * A system of actors.
 *
 * @public
 * @param factories by node name, in the order of diagrams. (JavaScript puts integer names first, in
 *   ascending order.)
 * @throws TypeError if there are no nodes, or a factory is not a function
 */
export function actors<Factories extends Readonly<Record<NodeId, ActorFactory>>>(
  factories: Factories,
): System<ShownBy<ReturnType<Factories[keyof Factories]>>> {
  const nodes = Object.keys(factories)
  if (nodes.length === 0) throw new TypeError('actors(...): a cluster needs at least one node')
  for (const node of nodes) {
    if (typeof factories[node] !== 'function')
      throw new TypeError(`actors(...): '${node}' must be a function that returns an actor`)
  }
  return new ActorSystem(nodes, factories) as System as System<ShownBy<ReturnType<Factories[keyof Factories]>>>
}

class ActorSystem implements System {
  readonly nodes: readonly NodeId[]
  readonly #factories: Readonly<Record<NodeId, ActorFactory>>
  readonly #hosts = new Map<NodeId, NodeHost>()

  constructor(nodes: readonly NodeId[], factories: Readonly<Record<NodeId, ActorFactory>>) {
    this.nodes = nodes
    this.#factories = factories
  }

  reset(): void {
    for (const node of this.nodes) this.#hosts.set(node, new NodeHost(node, this.nodes, this.#factories[node]!))
  }

  perform(event: NodeEvent, effects: Effects): void {
    const host = this.#hosts.get(event.node)!
    if (event.type === 'crash') host.actor = undefined
    else host.perform(event, effects)
  }

  state(node: NodeId): Data {
    const actor = this.#hosts.get(node)?.actor
    return actor?.state ?? actor
  }
}

/** Whether a value is what norn gives the factory of an actor. */
export const isContext = (value: unknown): boolean => NodeHost.is(value)

/** A node: its actor while it is up, and its durable data. */
class NodeHost implements ActorContext {
  readonly id: NodeId
  readonly nodes: readonly NodeId[]
  actor: Actor | undefined
  #durable: Data
  readonly #factory: ActorFactory
  #effects: Effects | undefined

  constructor(id: NodeId, nodes: readonly NodeId[], factory: ActorFactory) {
    this.id = id
    this.nodes = nodes
    this.#factory = factory
  }

  /** Asks nothing of the value, which may be a proxy. */
  static is(value: unknown): boolean {
    return typeof value === 'object' && value !== null && #durable in value
  }

  perform(event: Exclude<NodeEvent, { type: 'crash' }>, effects: Effects): void {
    this.#effects = effects
    try {
      const given: unknown = this.#handle(event)
      if (given !== undefined) synchronous(given, () => `the handler of '${this.id}' for '${event.type}'`)
    } finally {
      this.#effects = undefined
    }
  }

  #handle(event: Exclude<NodeEvent, { type: 'crash' }>): unknown {
    switch (event.type) {
      case 'start':
        return this.#begin().onStart?.()
      case 'restart':
        this.#begin()
        return this.actor!.onRestart === undefined ? this.actor!.onStart?.() : this.actor!.onRestart()
      case 'deliver':
        return this.actor!.onMessage?.(event.message, event.from)
      case 'timeout':
        return this.actor!.onTimer?.(event.timer)
      case 'request':
        return this.actor!.onRequest?.(event.request, event.id)
    }
  }

  #begin(): Actor {
    const factory = this.#factory
    const handlers: unknown = synchronous(factory(this), () => `the factory of actor '${this.id}'`)
    if (typeof handlers !== 'object' || handlers === null) {
      throw new TypeError(
        `the factory of actor '${this.id}' returned ${String(handlers)}: it must return an object of handlers`,
      )
    }
    this.actor = handlers
    return handlers
  }

  get #active(): Effects {
    if (this.#effects === undefined) {
      throw new Error(`the actor '${this.id}' acts outside of its handlers: to act later, set a timer`)
    }
    return this.#effects
  }

  readonly send = (to: NodeId, message: Data): void => {
    this.#active.send(to, message)
  }

  readonly broadcast = (message: Data): void => {
    for (const node of this.nodes) if (node !== this.id) this.#active.send(node, message)
  }

  readonly setTimer = (timer: string, delayMs: number): void => {
    this.#active.setTimer(timer, delayMs)
  }

  readonly clearTimer = (timer: string): void => {
    this.#active.clearTimer(timer)
  }

  readonly reply = (request: number, reply: Data): void => {
    this.#active.reply(request, reply)
  }

  readonly event = (name: string, data?: Data): void => {
    this.#active.event(name, data)
  }

  readonly persist = (data: Data): void => {
    // Throws outside of a handler.
    void this.#active
    this.#durable = copyData(data, () => `what '${this.id}' persists`)
  }

  get durable(): Data {
    return copyAgain(this.#durable)
  }

  get nowMs(): number {
    return this.#active.nowMs
  }

  readonly random = (): number => this.#active.random()
}
