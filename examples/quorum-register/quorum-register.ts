/**
 * A register that three nodes keep, after Attiya, Bar-Noy and Dolev, "Sharing Memory Robustly in
 * Message-Passing Systems" (1995). Any node serves clients:
 *
 * 1. It asks all nodes for their versions, and waits for a majority.
 * 2. To write, it stores a newer version. To read, it takes the newest one, and stores it again: a
 *    write that has not reached a majority yet would otherwise be seen by this read, but not by the next.
 * 3. It answers when a majority has stored it.
 */
import { type Actor, type ActorContext, actors } from 'norn/cluster'

export type Request = { readonly f: 'read' } | { readonly f: 'write'; readonly value: number }

interface Version {
  readonly value: number | null
  /** The later one wins; if two nodes write at once, the one whose name comes later. */
  readonly number: number
  readonly writer: string
}

type Message =
  | { readonly type: 'ask'; readonly operation: number }
  | { readonly type: 'answer'; readonly operation: number; readonly version: Version }
  | { readonly type: 'store'; readonly operation: number; readonly version: Version }
  | { readonly type: 'stored'; readonly operation: number }

/** An operation that this node performs for a client. */
interface Operation {
  readonly request: Request
  newest: Version
  readonly answered: Set<string>
  readonly stored: Set<string>
}

/**
 * How reads are served: as above (`repaired`); without storing what was read (`majority`); or from the
 * node's own copy, without asking (`local`). Only the first is right.
 */
export type Reads = 'repaired' | 'majority' | 'local'

export const quorumRegister = (reads: Reads) =>
  actors({
    a: (node) => new Replica(node, reads),
    b: (node) => new Replica(node, reads),
    c: (node) => new Replica(node, reads),
  })

class Replica implements Actor {
  version: Version
  readonly #operations = new Map<number, Operation>()
  readonly #node: ActorContext
  readonly #reads: Reads

  constructor(node: ActorContext, reads: Reads) {
    this.#node = node
    this.#reads = reads
    this.version = node.durable ?? { value: null, number: 0, writer: '' }
  }

  onRequest(request: Request, id: number): void {
    if (request.f === 'read' && this.#reads === 'local') {
      this.#node.reply(id, this.version.value)
      return
    }
    const operation = { request, newest: this.version, answered: new Set<string>(), stored: new Set<string>() }
    this.#operations.set(id, operation)
    this.#node.broadcast({ type: 'ask', operation: id })
    this.#answered(id, this.#node.id, this.version)
  }

  onMessage(message: Message, from: string): void {
    const { type, operation } = message
    if (type === 'ask') this.#node.send(from, { type: 'answer', operation, version: this.version })
    if (type === 'answer') this.#answered(operation, from, message.version)
    if (type === 'stored') this.#stored(operation, from)
    if (type === 'store') {
      this.#keep(message.version)
      this.#node.send(from, { type: 'stored', operation })
    }
  }

  #answered(id: number, from: string, version: Version): void {
    const operation = this.#operations.get(id)
    if (operation === undefined || this.#isMajority(operation.answered)) return
    if (isNewer(version, operation.newest)) operation.newest = version
    if (!this.#isMajority(operation.answered.add(from))) return
    const { request, newest } = operation
    if (request.f === 'read' && this.#reads === 'majority') {
      this.#reply(id, newest.value)
      return
    }
    if (request.f === 'write') operation.newest = this.#newer(newest, request.value)
    this.#keep(operation.newest)
    this.#node.broadcast({ type: 'store', operation: id, version: operation.newest })
    this.#stored(id, this.#node.id)
  }

  /** Another write of this node may have begun since the versions were asked for. */
  #newer({ number }: Version, value: number): Version {
    return { value, number: Math.max(number, this.version.number) + 1, writer: this.#node.id }
  }

  #stored(id: number, from: string): void {
    const operation = this.#operations.get(id)
    if (operation === undefined || !this.#isMajority(operation.stored.add(from))) return
    this.#reply(id, operation.request.f === 'read' ? operation.newest.value : 'written')
  }

  #reply(id: number, reply: unknown): void {
    this.#operations.delete(id)
    this.#node.reply(id, reply)
  }

  #keep(version: Version): void {
    if (!isNewer(version, this.version)) return
    this.version = version
    this.#node.persist(version)
  }

  #isMajority(nodes: ReadonlySet<string>): boolean {
    return nodes.size > this.#node.nodes.length / 2
  }
}

function isNewer(a: Version, b: Version): boolean {
  return a.number > b.number || (a.number === b.number && a.writer > b.writer)
}
