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
  readonly #issued: (RequestView & { readonly replies: Data[] })[] = []

  constructor(requests: readonly Data[], { route, requestEveryMs = DEFAULT_EVERY_MS }: ClusterOptions) {
    this.#requests = requests
    this.#route = route
    this.#everyUs = Math.round(requestEveryMs * 1000)
  }

  /** The requests issued, by id. */
  get issued(): readonly RequestView[] {
    return this.#issued
  }

  /** The number of requests still to come. */
  get left(): number {
    return this.#requests.length - this.#issued.length
  }

  /** When the next request is due, in microseconds of virtual time; undefined if none is left. */
  get nextDueUs(): number | undefined {
    return this.left === 0 ? undefined : (this.#issued.length + 1) * this.#everyUs
  }

  /** A copy of the next request. There must be one. */
  next(): NextRequest {
    const id = this.#issued.length
    return { id, request: copyData(this.#requests[id], () => `request ${id}`) }
  }

  /**
   * The nodes that may get the next request, by the cluster's `route`: one, several, or undefined for
   * any. There must be a request.
   */
  get candidates(): NodeId | readonly NodeId[] | undefined {
    if (this.#route === undefined) return undefined
    const id = this.#issued.length
    if (this.#candidates?.id !== id) {
      this.#candidates = { id, nodes: synchronous(this.#route(this.next().request, id), () => '`route`') }
    }
    return this.#candidates.nodes
  }

  /** Records that the next request has reached a node. */
  issue({ id, request }: NextRequest, node: NodeId): void {
    this.#issued.push({ id, node, request, replies: [] })
  }

  /** @throws Error if the request was never issued */
  reply(node: NodeId, id: number, reply: Data): void {
    const issued = Number.isSafeInteger(id) ? this.#issued[id] : undefined
    if (issued === undefined) throw new Error(`'${node}' replies to request ${id}, which was never made`)
    issued.replies.push(reply)
  }
}
