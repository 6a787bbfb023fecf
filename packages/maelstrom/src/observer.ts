/**
 * A client that reads from every node again and again, late in an execution: what it saw last
 * shows whether the nodes have converged.
 */
import type { Effects, NodeEvent, NodeId } from 'norn/cluster'
import type { Body } from './services.ts'

/** The name of the node that stands for it. */
export const OBSERVER = 'observer'

/** The first read, so that it does not take part in what is scheduled, and the time to the next. */
const FIRST_MS = 10_000
const AGAIN_MS = 1000

export class Observer {
  readonly #nodes: readonly NodeId[]
  /** What each node answered last. */
  readonly state: Record<NodeId, Body | undefined>
  #reads = 0

  constructor(nodes: readonly NodeId[]) {
    this.#nodes = nodes
    this.state = Object.fromEntries(nodes.map((node) => [node, undefined]))
  }

  perform(event: NodeEvent, effects: Effects): void {
    switch (event.type) {
      case 'start':
        effects.setTimer('read', FIRST_MS)
        break
      case 'restart':
        effects.setTimer('read', AGAIN_MS)
        break
      case 'timeout':
        for (const node of this.#nodes) effects.send(node, { type: 'read', msg_id: ++this.#reads })
        effects.setTimer('read', AGAIN_MS)
        break
      case 'deliver':
        if ((event.message as Body).type === 'read_ok') this.state[event.from] = event.message as Body
        break
      case 'request':
        effects.reply(event.id, { type: 'error', code: 10, text: 'the observer has no clients' })
    }
  }
}
