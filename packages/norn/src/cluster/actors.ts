/**
 * Actors: nodes written in TypeScript, as classes or objects with handlers. See reducers.ts for
 * those that are functions.
 *
 * An actor lives from a start to a crash. What it keeps in its fields is gone then; what it gave to
 * `persist` the next one finds in `durable`. Handlers run to their end at once and cannot wait: an
 * actor that needs an answer sends a message and handles the answer when it comes.
 */
import { atOnce } from './at-once.ts'
import { copyData } from './plain-data.ts'
import type { Data, Effects, NodeEvent, NodeId, System } from './system.ts'

/**
 * What an actor may do, while it handles something. Its functions may be taken out of it: `({ send
 * }) => …`.
 *
 * @public
 */
export interface ActorContext {
  readonly id: NodeId
  /** All nodes of the cluster, this one too. */
  readonly nodes: readonly NodeId[]
  send(to: NodeId, message: Data): void
  /** Sends to all other nodes. */
  broadcast(message: Data): void
  /** Sets a timer, or sets it anew. @param delayMs virtual time */
  setTimer(timer: string, delayMs: number): void
  clearTimer(timer: string): void
  reply(request: number, reply: Data): void
  /** Says that something happened, for logs, models and `required`. */
  event(name: string, data?: Data): void
  /**
   * Makes data durable, in place of what was: at once and whole, as after an fsync that succeeded.
   */
  persist(data: Data): void
  /** What was made durable last, as a copy; undefined if nothing was. */
  // biome-ignore lint/suspicious/noExplicitAny: the actor knows what it wrote
  readonly durable: any
  readonly nowMs: number
  random(): number
}

/**
 * The handlers of a node; what has none is ignored.
 *
 * @public
 */
export interface Actor {
  onStart?(): void
  /** It begins again after a crash; `onStart` unless there is this one. */
  onRestart?(): void
  // biome-ignore lint/suspicious/noExplicitAny: messages are of the user's own types
  onMessage?(message: any, from: NodeId): void
  onTimer?(timer: string): void
  // biome-ignore lint/suspicious/noExplicitAny: and so are requests
  onRequest?(request: any, id: number): void
  /** What checks see of it; the actor itself unless it has this. */
  readonly state?: Data
}

/**
 * Makes the actor of a node, when it starts and when it restarts.
 *
 * @public
 */
export type ActorFactory = (context: ActorContext) => Actor

/**
 * A system of actors.
 *
 * @public
 * @param factories by the names of the nodes; the order is that of diagrams and of what is called
 *   natural. (JavaScript puts
 *   names that are whole numbers first, in ascending order.)
 * @throws TypeError if there are no nodes, or one has no factory
 */
export function actors(factories: Readonly<Record<NodeId, ActorFactory>>): System {
  const nodes = Object.keys(factories)
  if (nodes.length === 0) throw new TypeError('actors(...): a cluster has at least one node')
  for (const node of nodes) {
    if (typeof factories[node] !== 'function')
      throw new TypeError(`actors(...): '${node}' must be a function that makes an actor`)
  }
  return new ActorSystem(nodes, factories)
}

class ActorSystem implements System {
  readonly nodes: readonly NodeId[]
  readonly #factories: Readonly<Record<NodeId, ActorFactory>>
  readonly #hosted = new Map<NodeId, Hosted>()

  constructor(nodes: readonly NodeId[], factories: Readonly<Record<NodeId, ActorFactory>>) {
    this.nodes = nodes
    this.#factories = factories
  }

  reset(): void {
    for (const node of this.nodes) this.#hosted.set(node, new Hosted(node, this.nodes))
  }

  perform(event: NodeEvent, effects: Effects): void {
    const hosted = this.#hosted.get(event.node)!
    if (event.type === 'crash') hosted.actor = undefined
    else hosted.perform(event, effects, this.#factories[event.node]!)
  }

  state(node: NodeId): Data {
    const actor = this.#hosted.get(node)?.actor
    return actor?.state ?? actor
  }
}

/** A node: its actor while it is up, and what outlives it. */
class Hosted implements ActorContext {
  readonly id: NodeId
  readonly nodes: readonly NodeId[]
  actor: Actor | undefined
  #durable: Data
  #effects: Effects | undefined

  constructor(id: NodeId, nodes: readonly NodeId[]) {
    this.id = id
    this.nodes = nodes
  }

  perform(event: Exclude<NodeEvent, { type: 'crash' }>, effects: Effects, factory: ActorFactory): void {
    this.#effects = effects
    try {
      const given: unknown = this.#handle(event, factory)
      if (given !== undefined) atOnce(given, () => `the handler of '${this.id}' for '${event.type}'`)
    } finally {
      this.#effects = undefined
    }
  }

  #handle(event: Exclude<NodeEvent, { type: 'crash' }>, factory: ActorFactory): unknown {
    switch (event.type) {
      case 'start':
        return this.#begin(factory).onStart?.()
      case 'restart':
        this.#begin(factory)
        return this.actor!.onRestart === undefined ? this.actor!.onStart?.() : this.actor!.onRestart()
      case 'deliver':
        return this.actor!.onMessage?.(event.message, event.from)
      case 'timeout':
        return this.actor!.onTimer?.(event.timer)
      case 'request':
        return this.actor!.onRequest?.(event.request, event.id)
    }
  }

  #begin(factory: ActorFactory): Actor {
    const made: unknown = atOnce(factory(this), () => `what makes the actor '${this.id}'`)
    if (typeof made !== 'object' || made === null) {
      throw new TypeError(`what makes the actor '${this.id}' gave ${String(made)}: it must give an object of handlers`)
    }
    this.actor = made
    return made
  }

  get #now(): Effects {
    if (this.#effects === undefined) {
      throw new Error(
        `the actor '${this.id}' acts while nothing happens to it: it may only act inside a handler; for what is to come later it sets a timer`,
      )
    }
    return this.#effects
  }

  readonly send = (to: NodeId, message: Data): void => {
    this.#now.send(to, message)
  }

  readonly broadcast = (message: Data): void => {
    for (const node of this.nodes) if (node !== this.id) this.#now.send(node, message)
  }

  readonly setTimer = (timer: string, delayMs: number): void => {
    this.#now.setTimer(timer, delayMs)
  }

  readonly clearTimer = (timer: string): void => {
    this.#now.clearTimer(timer)
  }

  readonly reply = (request: number, reply: Data): void => {
    this.#now.reply(request, reply)
  }

  readonly event = (name: string, data?: Data): void => {
    this.#now.event(name, data)
  }

  readonly persist = (data: Data): void => {
    // Outside of a handler nothing can become durable either.
    void this.#now
    this.#durable = copyData(data, () => `what '${this.id}' persists`)
  }

  get durable(): Data {
    return copyData(this.#durable, () => `what '${this.id}' persisted`)
  }

  get nowMs(): number {
    return this.#now.nowMs
  }

  readonly random = (): number => {
    return this.#now.random()
  }
}
