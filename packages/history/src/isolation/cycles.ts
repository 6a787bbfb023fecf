/**
 * Finds cycles and the anomalies they are. Whether there is one is decided exactly for each type and each
 * group of transactions that are on cycles together; a type is not sought in a group where an anomaly was
 * found that is a case of it, as in Elle.
 *
 * - G0, G1c: components of the edges `ww`, and of `ww` and `wr`. If the outcome of a transaction is
 *   unknown, only G1c: it may have aborted, and then reads that show it are G1a.
 * - G-single: an edge `rw` from u to v, and a path from v to u without `rw`. Reachability is decided for
 *   32 edges at a time, in the topological order of the components of the other edges, and only over the
 *   stretch of it between v and u.
 * - G-nonadjacent: components of a graph with each transaction twice, reached by an edge `rw` or by
 *   another, where an edge `rw` leads on from the latter only. This decides snapshot isolation.
 * - G2-item: what components are left.
 *
 * Then the same with edges between transactions of a process, and with those of real time too.
 */
import type { CycleBase, CycleType } from './anomaly.ts'
import { type Components, componentsOf } from './components.ts'
import { EdgeList, type Graph, PROCESS, REALTIME, RW, THROUGH, toGraph, typeOf, WR, WW, WW_UNKNOWN } from './edges.ts'
import type { Limits } from './limits.ts'
import { PathFinder } from './paths.ts'
import { cyclicPart, type RawStep, type Subgraph, stepsOf } from './subgraph.ts'

type Variant = '' | '-process' | '-realtime'

const bit = (type: number) => 1 << type
const VARIANTS: readonly { readonly name: Variant; readonly types: number }[] = [
  { name: '', types: bit(THROUGH) },
  { name: '-process', types: bit(THROUGH) | bit(PROCESS) },
  { name: '-realtime', types: bit(THROUGH) | bit(PROCESS) | bit(REALTIME) },
]
export const ALL_TYPES = 0xff

/** Bits of `found`. */
const BIT: Readonly<Record<CycleBase, number>> = { G0: 1, G1c: 2, 'G-single': 4, 'G-nonadjacent': 8, 'G2-item': 16 }
const WITH_RW = BIT['G-single'] | BIT['G-nonadjacent'] | BIT['G2-item']

/** From how many transactions or edges of a group a shortest cycle is sought. */
const MAX_STARTS = 8
/** Edges that the search for G-single follows, at most: some seconds. */
const MAX_WORK = 2 ** 30

export interface CycleReceiver {
  /** Whether another cycle of the type is of use; all are counted. */
  wants(type: CycleType): boolean
  /** @param steps undefined if it was not wanted */
  add(type: CycleType, steps: readonly RawStep[] | undefined): void
}

/**
 * @param components of the graph with all its edges
 * @param order what edges there are beside data
 * @returns types that may be present though they were not found, as deciding it takes too long
 */
export function findCycles(
  graph: Graph,
  components: Components,
  transactions: number,
  order: 'data' | 'process' | 'realtime',
  limits: Limits,
  receiver: CycleReceiver,
): CycleType[] {
  let part = cyclicPart(graph, components, ALL_TYPES, limits, {
    transaction: (node) => (node < transactions ? node : -1),
    group: (node) => components.of[node]!,
  })
  if (part.nodes === 0) return []
  const parts = [part]
  const variants = VARIANTS.slice(0, { data: 1, process: 2, realtime: 3 }[order])
  for (const { types } of variants.slice(0, -1).reverse()) {
    const whole = part
    const all = types | bit(WW) | bit(WW_UNKNOWN) | bit(WR) | bit(RW)
    part = cyclicPart(whole, componentsOf(whole, all), all, limits, {
      transaction: (node) => whole.transaction[node]!,
      group: (node) => whole.group[node]!,
    })
    parts.unshift(part)
  }
  const found = new Uint8Array(components.count)
  const undecided: CycleType[] = []
  for (const [index, { name, types }] of variants.entries()) {
    limits.checkTime()
    if (parts[index]!.nodes > 0) new Search(parts[index]!, name, types, found, limits, receiver, undecided).run()
  }
  return undecided
}

class Search {
  readonly #part: Subgraph
  readonly #variant: Variant
  /** Of edges that are not data. */
  readonly #types: number
  readonly #found: Uint8Array
  readonly #limits: Limits
  readonly #receiver: CycleReceiver
  readonly #undecided: CycleType[]
  readonly #paths: PathFinder
  readonly #transactionOf: (node: number) => number

  constructor(
    part: Subgraph,
    variant: Variant,
    types: number,
    found: Uint8Array,
    limits: Limits,
    receiver: CycleReceiver,
    undecided: CycleType[],
  ) {
    this.#part = part
    this.#variant = variant
    this.#types = types
    this.#found = found
    this.#limits = limits
    this.#receiver = receiver
    this.#undecided = undecided
    this.#paths = new PathFinder(part)
    this.#transactionOf = (node) => part.transaction[node]!
  }

  run(): void {
    this.#withoutAntiDependency('G0', this.#types | bit(WW), BIT.G0)
    const types = this.#types | bit(WW) | bit(WW_UNKNOWN) | bit(WR)
    const components = this.#withoutAntiDependency('G1c', types, BIT.G0 | BIT.G1c)
    this.#single(components, types)
    this.#limits.checkTime()
    this.#nonadjacent()
    this.#limits.checkTime()
    this.#item()
  }

  #isOpen(node: number, bits: number): boolean {
    return (this.#found[this.#part.group[node]!]! & bits) === 0
  }

  /**
   * @param find the edges of a cycle; called if it is wanted
   * @param steps the steps of those edges; undefined if they are none after all
   */
  #report(base: CycleBase, group: number, find: () => readonly RawStep[] | undefined): void {
    if (!this.#receiver.wants(`${base}${this.#variant}`)) {
      this.#found[group]! |= BIT[base]
      this.#receiver.add(`${base}${this.#variant}`, undefined)
      return
    }
    const steps = find()
    if (steps === undefined) return
    const is = classify(steps)
    this.#found[group]! |= BIT[is.base]
    this.#receiver.add(is.type, steps)
  }

  /** @param implying anomalies that are cases of it */
  #withoutAntiDependency(base: CycleBase, types: number, implying: number): Components {
    const components = componentsOf(this.#part, types)
    const { of, size } = components
    const smallest = new Map<number, { component: number; starts: number[] }>()
    for (let node = 0; node < this.#part.nodes; node++) {
      const component = of[node]!
      if (size[component]! < 2 || this.#part.transaction[node]! < 0 || !this.#isOpen(node, implying)) continue
      const group = this.#part.group[node]!
      const best = smallest.get(group)
      if (best === undefined || size[component]! < size[best.component]!)
        smallest.set(group, { component, starts: [node] })
      else if (best.component === component && best.starts.length < MAX_STARTS) best.starts.push(node)
    }
    for (const [group, { starts }] of smallest)
      this.#report(base, group, () =>
        this.#steps(shortestOf(starts, (node) => this.#paths.shortest(node, node, types, of))),
      )
    return components
  }

  #single({ of, count }: Components, types: number): void {
    const { nodes, offsets, targets, labels, group } = this.#part
    /** Sources of edges `rw` that a path may lead back to, by the number of their component. */
    const sources: number[] = []
    /** By node: the highest component that its edges `rw` lead to. */
    const highest = new Int32Array(nodes)
    for (let node = 0; node < nodes; node++) {
      if (!this.#isOpen(node, BIT['G-single'])) continue
      let high = -1
      for (let edge = offsets[node]!; edge < offsets[node + 1]!; edge++)
        if (typeOf(labels[edge]!) === RW) high = Math.max(high, of[targets[edge]!]!)
      if (high === -1 || high < of[node]!) continue
      highest[node] = high
      sources.push(node)
    }
    if (sources.length === 0) return
    sources.sort((a, b) => of[a]! - of[b]! || a - b)
    const first = new Int32Array(count + 1)
    for (let node = 0; node < nodes; node++) first[of[node]! + 1]!++
    for (let component = 0; component < count; component++) first[component + 1]! += first[component]!
    const next = first.slice(0, count)
    const byComponent = new Int32Array(nodes)
    for (let node = 0; node < nodes; node++) byComponent[next[of[node]!]!++] = node

    const reached = new Int32Array(count)
    let work = 0
    for (let at = 0; at < sources.length; ) {
      const batch: number[] = []
      for (; at < sources.length && batch.length < 32; at++)
        if (this.#isOpen(sources[at]!, BIT['G-single'])) batch.push(sources[at]!)
      if (batch.length === 0) break
      if (work > MAX_WORK) {
        this.#undecided.push(`G-single${this.#variant}`)
        return
      }
      const low = of[batch[0]!]!
      let high = low
      for (const [place, source] of batch.entries()) {
        high = Math.max(high, highest[source]!)
        for (let edge = offsets[source]!; edge < offsets[source + 1]!; edge++)
          if (typeOf(labels[edge]!) === RW) reached[of[targets[edge]!]!]! |= 1 << place
      }
      for (let component = high; component >= low; component--) {
        const sign = reached[component]!
        if (sign === 0) continue
        for (let member = first[component]!; member < first[component + 1]!; member++) {
          const node = byComponent[member]!
          work += offsets[node + 1]! - offsets[node]!
          for (let edge = offsets[node]!; edge < offsets[node + 1]!; edge++)
            if (((types >>> typeOf(labels[edge]!)) & 1) === 1 && of[targets[edge]!]! >= low)
              reached[of[targets[edge]!]!]! |= sign
        }
      }
      work += high - low
      for (const [place, source] of batch.entries())
        if ((reached[of[source]!]! & (1 << place)) !== 0 && this.#isOpen(source, BIT['G-single']))
          this.#report('G-single', group[source]!, () => this.#steps(this.#cycleThrough(source, types)))
      reached.fill(0, low, high + 1)
      this.#limits.checkTime()
    }
  }

  /** A short cycle of an edge `rw` from the node, and edges of the types back to it. */
  #cycleThrough(node: number, types: number): number[] | undefined {
    const { offsets, targets, labels, component } = this.#part
    const edges: number[] = []
    for (let edge = offsets[node]!; edge < offsets[node + 1]!; edge++)
      if (typeOf(labels[edge]!) === RW) edges.push(edge)
    return shortestOf(edges, (edge) => {
      const path = this.#paths.shortest(targets[edge]!, node, types, component)
      return path && [edge, ...path]
    })
  }

  #nonadjacent(): void {
    const { nodes, offsets, targets, labels, group, component } = this.#part
    const implying = BIT['G-single'] | BIT['G-nonadjacent']
    const edges = new EdgeList(0, 0, this.#limits)
    edges.nodes = 2 * nodes
    for (let node = 0; node < nodes; node++) {
      if (!this.#isOpen(node, implying)) continue
      for (let edge = offsets[node]!; edge < offsets[node + 1]!; edge++) {
        const label = labels[edge]!
        const type = typeOf(label)
        const target = targets[edge]!
        edges.add(node, type === RW ? target + nodes : target, type, label >>> 3)
        if (type !== RW) edges.add(node + nodes, type === THROUGH ? target + nodes : target, type, label >>> 3)
      }
    }
    if (edges.count === 0) return
    const twice = toGraph(edges)
    const { of } = componentsOf(twice, ALL_TYPES)
    const tries = new Map<number, number>()
    const paths = new PathFinder(twice)
    for (let node = 0; node < nodes; node++) {
      if (!this.#isOpen(node, implying)) continue
      for (let edge = twice.offsets[node]!; edge < twice.offsets[node + 1]!; edge++) {
        const target = twice.targets[edge]!
        if (typeOf(twice.labels[edge]!) !== RW || of[target] !== of[node]) continue
        const tried = tries.get(component[node]!) ?? 0
        if (tried >= MAX_STARTS) break
        tries.set(component[node]!, tried + 1)
        this.#report('G-nonadjacent', group[node]!, () => {
          const path = paths.shortest(target, node, ALL_TYPES, of)!
          return simple(stepsOf(twice, [edge, ...path], (at) => this.#transactionOf(at % nodes)))
        })
        if (!this.#isOpen(node, implying)) break
      }
    }
  }

  #item(): void {
    const { nodes, offsets, targets, labels, group, component } = this.#part
    /** By group: edges `rw`, each with its node. */
    const starts = new Map<number, (readonly [node: number, edge: number])[]>()
    for (let node = 0; node < nodes; node++) {
      if (!this.#isOpen(node, WITH_RW)) continue
      let known = starts.get(group[node]!)
      if (known === undefined) starts.set(group[node]!, (known = []))
      for (let edge = offsets[node]!; edge < offsets[node + 1]! && known.length < MAX_STARTS; edge++)
        if (typeOf(labels[edge]!) === RW) known.push([node, edge])
    }
    for (const [at, edges] of starts)
      if (edges.length > 0)
        this.#report('G2-item', at, () =>
          this.#steps(
            shortestOf(edges, ([node, edge]) => [
              edge,
              ...this.#paths.shortest(targets[edge]!, node, ALL_TYPES, component)!,
            ]),
          ),
        )
  }

  #steps(edges: readonly number[] | undefined): RawStep[] | undefined {
    return edges && stepsOf(this.#part, edges, this.#transactionOf)
  }
}

/** The first of the shortest, of the first few that there are. */
function shortestOf<T>(starts: readonly T[], find: (start: T) => number[] | undefined): number[] | undefined {
  let best: number[] | undefined
  for (const [index, start] of starts.entries()) {
    if (index >= MAX_STARTS && best !== undefined) break
    const path = find(start)
    if (path !== undefined && (best === undefined || path.length < best.length)) best = path
  }
  return best
}

/** A cycle that passes no transaction twice, with an edge `rw` but no two in a row; out of a closed walk. */
function simple(steps: readonly RawStep[]): readonly RawStep[] | undefined {
  const places = new Map<number, number>()
  for (const [to, { transaction }] of steps.entries()) {
    const from = places.get(transaction)
    if (from !== undefined)
      return simple(steps.slice(from, to)) ?? simple([...steps.slice(0, from), ...steps.slice(to)])
    places.set(transaction, to)
  }
  const is = classify(steps)
  return is.base === 'G-single' || is.base === 'G-nonadjacent' ? steps : undefined
}

/** What anomaly a cycle is, by the types of its edges. */
function classify(steps: readonly RawStep[]): { base: CycleBase; type: CycleType } {
  const count = (type: number) => steps.filter((step) => step.type === type).length
  const rw = count(RW)
  const isAdjacent = steps.some(({ type }, at) => type === RW && steps.at(at - 1)!.type === RW)
  const base: CycleBase =
    rw > 1
      ? isAdjacent
        ? 'G2-item'
        : 'G-nonadjacent'
      : rw === 1
        ? 'G-single'
        : count(WR) + count(WW_UNKNOWN) > 0
          ? 'G1c'
          : 'G0'
  return { base, type: `${base}${count(REALTIME) > 0 ? '-realtime' : count(PROCESS) > 0 ? '-process' : ''}` }
}
