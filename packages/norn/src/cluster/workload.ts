/** The requests of clients: those still to come, and those made, with their replies. */

import type { ClusterOptions, RequestView } from './definition.ts'
import { copyData } from './plain-data.ts'
import { synchronous } from './synchronous.ts'
import type { Data, NodeId } from './system.ts'

/** The next request, before it reaches a node. */
export interface NextRequest {
  readonly id: number
  readonly request: Data
}

const DEFAULT_EVERY_MS = 10

export class Workload {
  readonly #requests: readonly Data[]
  readonly #route: ClusterOptions['route']
  readonly #everyUs: number
  #candidates: { readonly id: number; readonly nodes: NodeId | readonly NodeId[] } | undefined
  readonly #made: (RequestView & { readonly replies: Data[] })[] = []

  constructor(requests: readonly Data[], { route, requestEveryMs = DEFAULT_EVERY_MS }: ClusterOptions) {
    this.#requests = requests
    this.#route = route
    this.#everyUs = Math.round(requestEveryMs * 1000)
  }

  /** The requests made, by id. */
  get made(): readonly RequestView[] {
    return this.#made
  }

  /** The number of requests still to come. */
  get left(): number {
    return this.#requests.length - this.#made.length
  }

  /** When the next request is due, in microseconds of virtual time; undefined if none is left. */
  get nextDueUs(): number | undefined {
    return this.left === 0 ? undefined : (this.#made.length + 1) * this.#everyUs
  }

  /** A copy of the next request. There must be one. */
  next(): NextRequest {
    const id = this.#made.length
    return { id, request: copyData(this.#requests[id], () => `request ${id}`) }
  }

  /**
   * The nodes that may get the next request, by the cluster's `route`: one, several, or undefined for
   * any. There must be a request.
   */
  get candidates(): NodeId | readonly NodeId[] | undefined {
    if (this.#route === undefined) return undefined
    const id = this.#made.length
    if (this.#candidates?.id !== id) {
      this.#candidates = { id, nodes: synchronous(this.#route(this.next().request, id), () => '`route`') }
    }
    return this.#candidates.nodes
  }

  /** Records that the next request has reached a node. */
  make({ id, request }: NextRequest, node: NodeId): void {
    this.#made.push({ id, node, request, replies: [] })
  }

  /** @throws Error if the request was never made */
  reply(node: NodeId, id: number, reply: Data): void {
    const made = Number.isSafeInteger(id) ? this.#made[id] : undefined
    if (made === undefined) throw new Error(`'${node}' replies to request ${id}, which was never made`)
    made.replies.push(reply)
  }
}
