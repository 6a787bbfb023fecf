/** Strongly connected components (Tarjan, Depth-First Search and Linear Graph Algorithms, 1972), iteratively. */
import { type Graph, typeOf } from './edges.ts'

export interface Components {
  readonly count: number
  /** By node: its component. An edge never leads to a component of a higher number. */
  readonly of: Int32Array
  /** By component: how many nodes it has. */
  readonly size: Int32Array
}

/** @param types the types of edges that count, as bits */
export function componentsOf({ nodes, offsets, targets, labels }: Graph, types: number): Components {
  const of = new Int32Array(nodes).fill(-1)
  /** By node: when it was first seen, from 1, and the earliest node on the stack known to be reachable. */
  const seen = new Int32Array(nodes)
  const low = new Int32Array(nodes)
  const cursor = new Int32Array(nodes)
  const stack = new Int32Array(nodes)
  const path = new Int32Array(nodes)
  const sizes: number[] = []
  let stacked = 0
  let time = 0
  for (let root = 0; root < nodes; root++) {
    if (seen[root] !== 0) continue
    let depth = 0
    path[0] = root
    seen[root] = low[root] = ++time
    cursor[root] = offsets[root]!
    stack[stacked++] = root
    while (depth >= 0) {
      const node = path[depth]!
      const end = offsets[node + 1]!
      let at = cursor[node]!
      let earliest = low[node]!
      let child = -1
      for (; at < end; at++) {
        if (((types >>> typeOf(labels[at]!)) & 1) === 0) continue
        const target = targets[at]!
        const when = seen[target]!
        if (when === 0) {
          child = target
          at++
          break
        }
        if (when < earliest && of[target] === -1) earliest = when
      }
      cursor[node] = at
      low[node] = earliest
      if (child >= 0) {
        seen[child] = low[child] = ++time
        cursor[child] = offsets[child]!
        stack[stacked++] = child
        path[++depth] = child
        continue
      }
      if (earliest === seen[node]) {
        const before = stacked
        let member: number
        do {
          member = stack[--stacked]!
          of[member] = sizes.length
        } while (member !== node)
        sizes.push(before - stacked)
      }
      if (--depth >= 0) {
        const parent = path[depth]!
        if (earliest < low[parent]!) low[parent] = earliest
      }
    }
  }
  return { count: sizes.length, of, size: Int32Array.from(sizes) }
}
