/**
 * A reference that tries every order of versions: slow beyond about eight transactions. Levels are those
 * of Adya (1999) by their dependencies; snapshot isolation after Cerone & Gotsman (Analysing Snapshot
 * Isolation, 2016).
 */
import type { Transaction } from '../../src/history/transaction.ts'
import type { Workload } from '../../src/isolation/workload.ts'
import { canonical } from '../../src/models/canonical.ts'
import { precedes, precedesInProcess } from './brute-force.ts'

/**
 * What `isAllowedByBruteForce` asks for.
 */
export interface DependencyLevel {
  readonly level: 'read-committed' | 'snapshot-isolation' | 'serializable'
  /** What the level keeps beside data: nothing, the order of each process, or real time too. */
  readonly order: 'any' | 'process' | 'realtime'
}

/**
 * Whether some order of the versions of each key explains all reads without a cycle that the level
 * forbids, with or without each transaction that is `unknown`. At every level a transaction sees its own
 * writes.
 */
export function isAllowedByBruteForce(
  transactions: readonly Transaction[],
  workload: Workload,
  { level, order }: DependencyLevel,
): boolean {
  const inProcess = precedesInProcess(transactions)
  const comesFirst = (a: Transaction, b: Transaction) =>
    order !== 'any' && (inProcess(a, b) || (order === 'realtime' && precedes(a, b)))
  return subsets(transactions.filter(({ outcome }) => outcome === 'unknown')).some((committed) => {
    const nodes = transactions.filter((each) => each.outcome === 'ok' || committed.includes(each))
    const keys = [...new Set(nodes.flatMap(({ input }) => input.map(([, key]) => key)))]
    const ordered = nodes.map((from) =>
      nodes.map((to) => from.return < Number.POSITIVE_INFINITY && comesFirst(from, to)),
    )
    const extend = (graph: Graph, at: number): boolean => {
      if (isForbidden(graph, level)) return false
      if (at === keys.length) return true
      const writers = nodes.filter(({ input }) => input.some(([f, key]) => f !== 'r' && key === keys[at]))
      return permutations(writers).some((versions) => {
        const next = withKey(graph, nodes, keys[at], versions, workload)
        return next !== undefined && extend(next, at + 1)
      })
    }
    return extend({ before: ordered, overwritten: nodes.map(() => nodes.map(() => false)) }, 0)
  })
}

type Matrix = readonly (readonly boolean[])[]

interface Graph {
  /** By transaction, and transaction: write or read dependencies, and the order to keep. */
  readonly before: Matrix
  /** Likewise: whether the second overwrites what the first read. */
  readonly overwritten: Matrix
}

/** With the dependencies of a key; undefined if a read does not fit the versions. */
function withKey(
  graph: Graph,
  nodes: readonly Transaction[],
  key: unknown,
  versions: readonly Transaction[],
  workload: Workload,
): Graph | undefined {
  const before = graph.before.map((row) => [...row])
  const overwritten = graph.overwritten.map((row) => [...row])
  const index = (node: Transaction) => nodes.indexOf(node)
  for (let at = 1; at < versions.length; at++) before[index(versions[at - 1]!)]![index(versions[at]!)] = true
  const isList = workload === 'list-append'
  const values = [isList ? [] : null, ...versions.map((_, at) => valueAfter(versions.slice(0, at + 1), key, isList))]
  for (const [reader, { outcome, output }] of nodes.entries()) {
    if (outcome !== 'ok') continue
    const own: unknown[] = []
    for (const [f, name, value] of output!) {
      if (name !== key) continue
      if (f !== 'r') {
        own.push(value)
        continue
      }
      const read = value ?? values[0]
      if (!isList && own.length > 0) {
        if (canonical(read) !== canonical(own.at(-1))) return undefined
        continue
      }
      const list = isList ? (read as readonly unknown[]) : []
      if (own.length > 0 && canonical(list.slice(-own.length)) !== canonical(own)) return undefined
      const foreign = own.length > 0 ? list.slice(0, -own.length) : read
      const version = values.findIndex((each) => canonical(each) === canonical(foreign))
      if (version < 0) return undefined
      const writer = versions[version - 1]
      const next = versions[version]
      if (writer === nodes[reader]) return undefined
      if (own.length > 0 && next !== nodes[reader]) return undefined
      if (writer !== undefined) before[index(writer)]![reader] = true
      if (next !== undefined && next !== nodes[reader]) overwritten[reader]![index(next)] = true
    }
  }
  return { before, overwritten }
}

/** The value after the last of these transactions has written it. */
function valueAfter(writers: readonly Transaction[], key: unknown, isList: boolean): unknown {
  const written = writers.flatMap(({ input }) =>
    input.filter(([f, name]) => f !== 'r' && name === key).map(([, , value]) => value),
  )
  return isList ? written : written.at(-1)
}

function isForbidden({ before, overwritten }: Graph, level: DependencyLevel['level']): boolean {
  if (level === 'read-committed') return isCyclic(before)
  if (level === 'serializable') return isCyclic(either(before, overwritten))
  // No cycle but with two in a row that overwrite.
  const twice = before.map((row) =>
    before.map((_, to) => row.some((isBefore, middle) => isBefore && overwritten[middle]![to]!)),
  )
  return isCyclic(either(before, twice))
}

function either(a: Matrix, b: Matrix): Matrix {
  return a.map((row, from) => row.map((value, to) => value || b[from]![to]!))
}

/** By transitive closure (Warshall 1962). */
function isCyclic(matrix: Matrix): boolean {
  const reach = matrix.map((row) => [...row])
  for (const middle of reach.keys())
    for (const row of reach) if (row[middle]) for (const to of reach.keys()) row[to] ||= reach[middle]![to]!
  return reach.some((row, at) => row[at])
}

function subsets<Item>(items: readonly Item[]): Item[][] {
  if (items.length === 0) return [[]]
  const rest = subsets(items.slice(1))
  return [...rest, ...rest.map((subset) => [items[0]!, ...subset])]
}

function permutations<Item>(items: readonly Item[]): Item[][] {
  if (items.length === 0) return [[]]
  return items.flatMap((item, at) => permutations(items.toSpliced(at, 1)).map((rest) => [item, ...rest]))
}
