/** Shortest paths in a graph with auxiliary nodes, which cost nothing to pass. */
import { type Graph, THROUGH, typeOf } from './edges.ts'

export class PathFinder {
  readonly #graph: Graph
  /** By node: the run it was last reached in, how far it is, and the edge and the node that led to it. */
  readonly #run: Int32Array
  readonly #distance: Int32Array
  readonly #edge: Int32Array
  readonly #parent: Int32Array
  #runs = 0

  constructor(graph: Graph) {
    this.#graph = graph
    this.#run = new Int32Array(graph.nodes)
    this.#distance = new Int32Array(graph.nodes)
    this.#edge = new Int32Array(graph.nodes)
    this.#parent = new Int32Array(graph.nodes)
  }

  /**
   * The edges of a shortest path, in order; undefined if there is none. If `from` is `to` the path is a
   * cycle of at least one edge.
   *
   * @param types the types of edges that count, as bits
   * @param component the path stays within nodes of the component of `from`
   */
  shortest(from: number, to: number, types: number, component: Int32Array): number[] | undefined {
    const { offsets, targets, labels } = this.#graph
    const run = ++this.#runs
    const inside = component[from]
    let level = [from]
    for (let distance = 0; level.length > 0; distance++) {
      const next: number[] = []
      for (let at = 0; at < level.length; at++) {
        const node = level[at]!
        const isStart = distance === 0 && at === 0
        if (!isStart) {
          if (this.#distance[node]! < distance) continue
          if (node === to) return this.#trace(from, to)
        }
        for (let edge = offsets[node]!; edge < offsets[node + 1]!; edge++) {
          const type = typeOf(labels[edge]!)
          const target = targets[edge]!
          if (((types >>> type) & 1) === 0 || component[target] !== inside) continue
          const further = type === THROUGH ? distance : distance + 1
          if (this.#run[target] === run && this.#distance[target]! <= further) continue
          this.#run[target] = run
          this.#distance[target] = further
          this.#edge[target] = edge
          this.#parent[target] = node
          if (further === distance) level.push(target)
          else next.push(target)
        }
      }
      level = next
    }
    return undefined
  }

  #trace(from: number, to: number): number[] {
    const edges: number[] = []
    let node = to
    do {
      edges.push(this.#edge[node]!)
      node = this.#parent[node]!
    } while (node !== from)
    return edges.reverse()
  }
}
