/** The part of a graph that lies on cycles. */
import type { Components } from './components.ts'
import { BYTES_PER_EDGE, BYTES_PER_NODE, type Graph, THROUGH, typeOf } from './edges.ts'
import type { Limits } from './limits.ts'

export interface Subgraph extends Graph {
  /** By node: its transaction, or -1 for an auxiliary node. */
  readonly transaction: Int32Array
  /** By node: its group. Groups are the components of the graph of all edges. */
  readonly group: Int32Array
  /** By node: its component in the graph that this one was taken from; they all are of the same types. */
  readonly component: Int32Array
}

/**
 * The nodes of components of more than one node, and the edges of some types within components.
 *
 * @param components of the graph restricted to the same types
 * @param types as bits
 * @param transaction by node; by default nodes are the transactions, then auxiliary ones
 */
export function cyclicPart(
  graph: Graph,
  components: Components,
  types: number,
  limits: Limits,
  { transaction, group }: { transaction: (node: number) => number; group: (node: number) => number },
): Subgraph {
  const { of, size } = components
  let nodes = 0
  let edges = 0
  for (let node = 0; node < graph.nodes; node++) {
    if (size[of[node]!]! < 2) continue
    nodes++
    edges += graph.offsets[node + 1]! - graph.offsets[node]!
  }
  // Components, paths, and twice as many nodes where paths remember an edge of type `rw`.
  limits.reserve(
    graph.nodes * 4 + nodes * (12 + 5 * BYTES_PER_NODE) + edges * (8 + 2 * BYTES_PER_EDGE),
    `to explain the cycles, through ${nodes} nodes`,
  )
  const place = new Int32Array(graph.nodes).fill(-1)
  const part = {
    nodes,
    transaction: new Int32Array(nodes),
    group: new Int32Array(nodes),
    component: new Int32Array(nodes),
    offsets: new Int32Array(nodes + 1),
    targets: new Int32Array(edges),
    labels: new Int32Array(edges),
  }
  let count = 0
  for (let node = 0; node < graph.nodes; node++) if (size[of[node]!]! > 1) place[node] = count++
  let edgeCount = 0
  for (let node = 0; node < graph.nodes; node++) {
    const at = place[node]!
    if (at < 0) continue
    part.transaction[at] = transaction(node)
    part.group[at] = group(node)
    part.component[at] = of[node]!
    for (let edge = graph.offsets[node]!; edge < graph.offsets[node + 1]!; edge++) {
      const target = graph.targets[edge]!
      if (of[target] !== of[node] || ((types >>> typeOf(graph.labels[edge]!)) & 1) === 0) continue
      part.targets[edgeCount] = place[target]!
      part.labels[edgeCount++] = graph.labels[edge]!
    }
    part.offsets[at + 1] = edgeCount
  }
  return part
}

/** An edge of a cycle, its passages through auxiliary nodes joined. */
export interface RawStep {
  readonly transaction: number
  readonly type: number
  readonly write: number
}

/**
 * The steps of a closed path.
 *
 * @param edges in order, the last one leading to where the first begins
 */
export function stepsOf(graph: Graph, edges: readonly number[], transactionOf: (node: number) => number): RawStep[] {
  const steps: { transaction: number; type: number; write: number }[] = []
  let from = transactionOf(graph.targets[edges.at(-1)!]!)
  for (const edge of edges) {
    const label = graph.labels[edge]!
    const write = label >>> 3
    if (typeOf(label) === THROUGH) steps.at(-1)!.write = write
    else steps.push({ transaction: from, type: typeOf(label), write })
    const to = transactionOf(graph.targets[edge]!)
    if (to >= 0) from = to
  }
  return steps
}
