/**
 * Natives of Relation, Graphs, UndirectedGraphs and GraphViz: operators on paths, of which a graph
 * with a cycle has infinitely many.
 *
 * A graph is a record of nodes and edges. As in TLC, an edge that is not a pair of nodes is ignored.
 */
import type { Arena } from '../../values/arena.ts'
import { asSet, canonical } from '../../values/canonical.ts'
import { apply, field } from '../../values/functions.ts'
import { member } from '../../values/member.ts'
import { printValue } from '../../values/print.ts'
import { refusal } from '../../values/refuse.ts'
import { product } from '../../values/symbolic-sets.ts'
import type { Canonical, Operator, SetValue, Value } from '../../values/value.ts'
import { printable } from '../evaluated.ts'
import { type NativeTable, pure } from '../native.ts'
import { answer } from '../operands.ts'

/** Bound on the simple paths of a graph. */
const MOST_PATHS = 1_000_000

type Kind = 'directed' | 'undirected'
type Neighbours = ReadonlyMap<Canonical, readonly Canonical[]>

interface Graph {
  readonly nodes: SetValue
  readonly after: Neighbours
}

function graphOf(value: Value, kind: Kind): Graph {
  const nodes = asSet(field(value, 'node'))
  const after = new Map<Canonical, Canonical[]>()
  const connect = (from: Canonical, to: Canonical) => {
    const known = after.get(from)
    if (known === undefined) after.set(from, [to])
    else known.push(to)
  }
  for (const edge of asSet(field(value, 'edge')).elements) {
    if (typeof edge !== 'object' || edge.kind !== (kind === 'directed' ? 'tuple' : 'set')) continue
    const [from, to = kind === 'directed' ? undefined : from, more] = edge.elements
    if (from === undefined || to === undefined || more !== undefined) continue
    if (!member(from, nodes) || !member(to, nodes)) continue
    connect(from, to)
    if (kind === 'undirected' && from !== to) connect(to, from)
  }
  return { nodes, after }
}

/** The nodes reachable from a node, itself included. */
function reachable({ after }: Graph, from: Canonical): Set<Canonical> {
  const seen = new Set([from])
  // Iteration over a Set includes elements added meanwhile.
  for (const node of seen) for (const next of after.get(node) ?? []) seen.add(next)
  return seen
}

/** Paths that visit no node twice, including those of a single node. */
function simplePaths(arena: Arena, { nodes, after }: Graph): SetValue {
  const paths: Canonical[] = []
  const path: Canonical[] = []
  const extend = (node: Canonical): void => {
    path.push(node)
    if (paths.length === MOST_PATHS) throw refusal(`the graph has more than ${MOST_PATHS} simple paths`)
    paths.push(arena.tuple(path.slice()))
    for (const next of after.get(node) ?? []) if (!path.includes(next)) extend(next)
    path.pop()
  }
  for (const node of nodes.elements) extend(node)
  return arena.set(paths)
}

function areConnected(from: Value, to: Value, graph: Graph): boolean {
  if (!member(from, graph.nodes) || !member(to, graph.nodes)) return false
  return reachable(graph, canonical(from)).has(canonical(to))
}

function isStronglyConnected(graph: Graph): boolean {
  const { elements } = graph.nodes
  const first = elements[0]
  if (first === undefined) return true
  if (reachable(graph, first).size < elements.length) return false
  return elements.every((node) => reachable(graph, node).has(first))
}

function components(arena: Arena, graph: Graph): SetValue {
  const seen = new Set<Canonical>()
  const found: Canonical[] = []
  for (const node of graph.nodes.elements) {
    if (seen.has(node)) continue
    const component = reachable(graph, node)
    for (const each of component) seen.add(each)
    found.push(arena.set([...component]))
  }
  return arena.set(found)
}

/** Warshall's algorithm. */
function closure(arena: Arena, relation: Value, set: Value): Value {
  const { elements } = asSet(set)
  const holds = (from: Canonical, to: Canonical) =>
    answer(apply(relation, arena.tuple([from, to])), 'first', 'TransitiveClosure')
  const reach = elements.map((from) => elements.map((to) => holds(from, to)))
  for (let stop = 0; stop < elements.length; stop++) {
    for (const row of reach) {
      if (row[stop]) for (let to = 0; to < row.length; to++) row[to] ||= reach[stop]![to]!
    }
  }
  // Pairs are ordered by their parts.
  return arena.function(asSet(product(arena, [set, set])), reach.flat())
}

/** Nodes are named by index. */
function drawing(value: Value, nodeLabel: Operator, edgeLabel: Operator): string {
  const { elements } = asSet(field(value, 'node'))
  const nodes = elements.map((node, at) => `${at}[label=${printValue(printable(nodeLabel(node)))}];`)
  const edges = asSet(field(value, 'edge')).elements.map((edge) => {
    const [from, to] = [apply(edge, 1), apply(edge, 2)].map((end) => elements.indexOf(canonical(end)))
    return `${from}->${to}[label=${printValue(printable(edgeLabel(edge)))}];`
  })
  return `digraph MyGraph {${nodes.join('')}${edges.join('')}}`
}

function paths(kind: Kind): NativeTable {
  return {
    SimplePath: pure(
      ({ arena }) =>
        (graph: Value) =>
          simplePaths(arena, graphOf(graph, kind)),
    ),
    AreConnectedIn: pure(() => (from: Value, to: Value, graph: Value) => areConnected(from, to, graphOf(graph, kind))),
    IsStronglyConnected: pure(() => (graph: Value) => isStronglyConnected(graphOf(graph, kind))),
  }
}

export const GRAPHS: NativeTable = paths('directed')

export const UNDIRECTED_GRAPHS: NativeTable = {
  ...paths('undirected'),
  ConnectedComponents: pure(
    ({ arena }) =>
      (graph: Value) =>
        components(arena, graphOf(graph, 'undirected')),
  ),
}

export const RELATION: NativeTable = {
  TransitiveClosure: pure(
    ({ arena }) =>
      (relation: Value, set: Value) =>
        closure(arena, relation, set),
  ),
}

export const GRAPH_VIZ: NativeTable = {
  DotDiGraph: pure(
    ({ arena }) =>
      (graph: Value, nodeLabel: Operator, edgeLabel: Operator) =>
        arena.string(drawing(graph, nodeLabel, edgeLabel)),
  ),
}
