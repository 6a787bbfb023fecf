/** What clients ask for, in order: what is still to come, and what was asked, with its replies. */
import { atOnce } from './at-once.ts'
import type { ClusterOptions, RequestView } from './definition.ts'
import { copyData } from './plain-data.ts'
import type { Data, NodeId } from './system.ts'

/** The request that comes next, before anybody has it. */
export interface NextRequest {
  readonly id: number
  readonly request: Data
  /** Where the cluster's `route` sends it, if it has one. */
  readonly to: NodeId | undefined
}

const DEFAULT_EVERY_MS = 10

export class Workload {
  readonly #requests: readonly Data[]
  readonly #route: ClusterOptions['route']
  readonly #everyUs: number
  readonly #made: (RequestView & { readonly replies: Data[] })[] = []

  constructor(requests: readonly Data[], { route, requestEveryMs = DEFAULT_EVERY_MS }: ClusterOptions) {
    this.#requests = requests
    this.#route = route
    this.#everyUs = Math.round(requestEveryMs * 1000)
  }

  /** Requests that were made, by id. */
  get made(): readonly RequestView[] {
    return this.#made
  }

  /** How many are still to come. */
  get left(): number {
    return this.#requests.length - this.#made.length
  }

  /**
   * When the next one comes where nobody interferes, in microseconds; undefined if there is none.
   */
  get nextDueUs(): number | undefined {
    return this.left === 0 ? undefined : (this.#made.length + 1) * this.#everyUs
  }

  /** The next request, as a copy. There has to be one. */
  next(): NextRequest {
    const id = this.#made.length
    const request = copyData(this.#requests[id], () => `request ${id}`)
    return { id, request, to: this.#route && atOnce(this.#route(request, id), () => '`route`') }
  }

  /** The next request has reached a node. */
  make({ id, request }: NextRequest, node: NodeId): void {
    this.#made.push({ id, node, request, replies: [] })
  }

  /** @throws Error if nobody has made the request */
  reply(node: NodeId, id: number, reply: Data): void {
    const made = Number.isSafeInteger(id) ? this.#made[id] : undefined
    if (made === undefined) throw new Error(`'${node}' answers request ${id}, which nobody has made`)
    made.replies.push(reply)
  }
}
