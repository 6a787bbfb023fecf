/** The view of a running simulation; always up to date. */
import type { LogEntry } from './log.ts'
import type { Message } from './network.ts'
import type { Data, NodeId, System } from './system.ts'
import type { ClusterView, MessageView, NodeView, RequestView } from './views.ts'

/** The part of a simulation that its view reads. */
interface Viewed {
  readonly nodes: readonly NodeId[]
  readonly log: readonly LogEntry[]
  readonly network: { messages(): readonly Message[] }
  readonly requests: readonly RequestView[]
  readonly nowUs: number
  readonly system: System
  indexOf(id: NodeId): number
  isUp(node: number): boolean
}

export class LiveView implements ClusterView {
  readonly nodes: readonly NodeView[]
  readonly #simulation: Viewed

  constructor(simulation: Viewed) {
    this.#simulation = simulation
    this.nodes = simulation.nodes.map((_, node) => new LiveNode(simulation, node))
  }

  /** A function property, so that predicates can destructure it: `({ node }) => node('a').up`. */
  readonly node = (id: NodeId): NodeView => this.nodes[this.#simulation.indexOf(id)]!

  get log(): readonly LogEntry[] {
    return this.#simulation.log
  }

  get messages(): readonly MessageView[] {
    const { nodes, network } = this.#simulation
    return network
      .messages()
      .map(({ id, from, to, data }) => ({ id, from: nodes[from]!, to: nodes[to]!, message: data }))
  }

  get requests(): readonly RequestView[] {
    return this.#simulation.requests
  }

  get nowMs(): number {
    return this.#simulation.nowUs / 1000
  }
}

class LiveNode implements NodeView {
  readonly #simulation: Viewed
  readonly #node: number

  constructor(simulation: Viewed, node: number) {
    this.#simulation = simulation
    this.#node = node
  }

  get id(): NodeId {
    return this.#simulation.nodes[this.#node]!
  }

  get up(): boolean {
    return this.#simulation.isUp(this.#node)
  }

  get state(): Data {
    return this.#simulation.isUp(this.#node) ? this.#simulation.system.state(this.id) : undefined
  }
}
