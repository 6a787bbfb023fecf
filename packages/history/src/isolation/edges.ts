/** The graph of dependencies: typed edges in flat columns, then in compressed rows (CSR). */
import type { Limits } from './limits.ts'

/** In bytes, of an edge in a list and in a graph. */
export const BYTES_PER_EDGE = 20

/** Types of edges. What enters an auxiliary node has a type; its way on is THROUGH, and belongs to the same edge. */
export const WW = 0
export const WR = 1
export const RW = 2
export const PROCESS = 3
export const REALTIME = 4
export const THROUGH = 5
/**
 * `ww` from or to a transaction of unknown outcome. It may have aborted: then reads that show it are G1a.
 * So such a cycle breaks what forbids G1, but not what forbids G0 alone.
 */
export const WW_UNKNOWN = 6

/** A label is an edge's type and, shifted by 3 bits, the write it is about: of `ww` and `rw` the later one. */
export const typeOf = (label: number) => label & 7

export class EdgeList {
  count = 0
  /** Transactions come first, auxiliary nodes after them. */
  nodes: number
  from = new Int32Array(0)
  to = new Int32Array(0)
  labels = new Int32Array(0)
  /** By transaction, for `readersBeforeWriters`: cleared after each use. */
  readonly #place: Int32Array
  readonly #limits: Limits

  /** @param capacity of edges; more are possible */
  constructor(transactions: number, capacity: number, limits: Limits) {
    this.nodes = transactions
    this.#place = new Int32Array(transactions)
    this.#limits = limits
    this.#grow(Math.max(16, capacity))
  }

  /** Edges of a transaction to itself are left out. */
  add(from: number, to: number, type: number, write: number): void {
    if (from === to) return
    if (this.count === this.from.length) this.#grow(this.count * 2)
    this.from[this.count] = from
    this.to[this.count] = to
    this.labels[this.count++] = (write << 3) | type
  }

  /**
   * An `rw` edge from each reader to each writer but itself. Where that were many edges, they pass
   * through two chains of auxiliary nodes, one that leads from a writer to all after it and one to all
   * before it, so that their number stays linear and no transaction leads to itself.
   *
   * @param readers transactions, each once
   * @param writers transactions, each once, and what each writes
   */
  readersBeforeWriters(readers: readonly number[], writers: readonly number[], writes: readonly number[]): void {
    const last = writers.length - 1
    if (readers.length * writers.length <= 4 * (readers.length + writers.length)) {
      for (const reader of readers) for (let at = 0; at <= last; at++) this.add(reader, writers[at]!, RW, writes[at]!)
      return
    }
    const after = this.nodes
    const before = after + writers.length
    this.nodes = before + writers.length
    for (let at = 0; at <= last; at++) {
      this.#place[writers[at]!] = at + 1
      this.add(after + at, writers[at]!, THROUGH, writes[at]!)
      this.add(before + at, writers[at]!, THROUGH, writes[at]!)
      if (at < last) this.add(after + at, after + at + 1, THROUGH, 0)
      if (at > 0) this.add(before + at, before + at - 1, THROUGH, 0)
    }
    for (const reader of readers) {
      const place = this.#place[reader]! - 1
      if (place < last) this.add(reader, after + place + 1, RW, 0)
      if (place > 0) this.add(reader, before + place - 1, RW, 0)
    }
    for (const writer of writers) this.#place[writer] = 0
  }

  #grow(capacity: number): void {
    this.#limits.reserve((capacity - this.from.length) * BYTES_PER_EDGE, 'for the dependencies')
    const grown = (column: Int32Array<ArrayBuffer>) => {
      const larger = new Int32Array(capacity)
      larger.set(column.subarray(0, this.count))
      return larger
    }
    this.from = grown(this.from)
    this.to = grown(this.to)
    this.labels = grown(this.labels)
  }
}

/** The edges of node v are those from `offsets[v]` to before `offsets[v + 1]`. */
export interface Graph {
  readonly nodes: number
  readonly offsets: Int32Array
  readonly targets: Int32Array
  readonly labels: Int32Array
}

export function toGraph({ nodes, count, from, to, labels }: EdgeList): Graph {
  const offsets = new Int32Array(nodes + 1)
  for (let edge = 0; edge < count; edge++) offsets[from[edge]! + 1]!++
  for (let node = 0; node < nodes; node++) offsets[node + 1]! += offsets[node]!
  const next = offsets.slice(0, nodes)
  const targets = new Int32Array(count)
  const sorted = new Int32Array(count)
  for (let edge = 0; edge < count; edge++) {
    const place = next[from[edge]!]!++
    targets[place] = to[edge]!
    sorted[place] = labels[edge]!
  }
  return { nodes, offsets, targets, labels: sorted }
}

/** In bytes, of a node in a graph and while its components are sought. */
export const BYTES_PER_NODE = 28
