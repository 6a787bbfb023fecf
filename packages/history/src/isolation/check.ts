/** Checks the isolation of transactions. */

import type { Transaction } from '../history/transaction.ts'
import type { Anomaly, AnomalyType, CycleType } from './anomaly.ts'
import { componentsOf } from './components.ts'
import {
  assertConsistency,
  type Consistency,
  forbids,
  heldModels,
  impossibleModels,
  orderOf,
  strongest,
  weakest,
} from './consistency.ts'
import { ALL_TYPES, findCycles } from './cycles.ts'
import { BYTES_PER_NODE, EdgeList, toGraph } from './edges.ts'
import { type ExplainEdge, explainCycle } from './explain.ts'
import { Findings } from './findings.ts'
import { type Flat, flatten, microOperation } from './flat.ts'
import { LimitError, Limits } from './limits.ts'
import { addListEdges } from './list-append.ts'
import { explainListEdge } from './list-explain.ts'
import { passLists } from './list-passes.ts'
import { listVersions } from './list-versions.ts'
import { passLostUpdates } from './lost-updates.ts'
import { addProcessEdges, addRealtimeEdges } from './order.ts'
import { explainRegisterEdge } from './register-explain.ts'
import { passRegisters } from './register-passes.ts'
import { type RegisterOrder, registerVersions } from './register-versions.ts'
import { addRegisterEdges } from './rw-register.ts'
import { showList, showValue } from './words.ts'
import { assertWorkload, type Workload } from './workload.ts'

/**
 * What `checkIsolation` checks, and its bounds.
 *
 * @public
 */
export interface IsolationOptions extends RegisterOrder {
  readonly workload: Workload
  readonly consistency: Consistency
  /** What the check may allocate beside the history, in megabytes (2^20 bytes); estimated before allocating. */
  readonly memoryMb?: number
  /** How long the check may take, in milliseconds. */
  readonly budgetMs?: number
}

/**
 * What `checkIsolation` found.
 *
 * @public
 */
export interface IsolationResult {
  /**
   * `illegal` if an anomaly was found that the consistency asked for forbids, or if the keys do not keep
   * the order that was promised of them; `unknown` if none was, and a bound kept the check from finding all.
   */
  readonly verdict: 'ok' | 'illegal' | 'unknown'
  /** Why it is unknown. */
  readonly reason?: string
  /** The first ten of each type, those that are forbidden first. */
  readonly anomalies: readonly Anomaly[]
  /** How many of each type were found. At most one cycle of a type counts for transactions on common cycles. */
  readonly counts: Readonly<Partial<Record<AnomalyType, number>>>
  /** The models of consistency that the history breaks, from the weakest to the strongest. */
  readonly impossible: readonly Consistency[]
  /** Of those, the ones that imply no other of them: what to say the history is not. */
  readonly weakest: readonly Consistency[]
  /** How many keys the transactions use; undefined if a bound was reached before they were counted. */
  readonly keys?: number
  /** The strongest models that hold, of those whose order the check has looked at; none if it is unknown. */
  readonly strongest: readonly Consistency[]
}

/**
 * Finds the anomalies of a history of transactions, after Kingsbury & Alvaro (Elle, VLDB 2020) and Adya
 * (1999). Takes near-linear time in the number of micro-operations and read elements.
 *
 * Cycles of the order of processes, or of real time, are sought if the consistency asked for promises that
 * order (`strong-session-...`; `strong-...` and `strict-serializable`).
 *
 * What is found is there: nothing is reported that another order of versions would explain. Transactions
 * of unknown outcome count as far as reads show that they have committed.
 *
 * @throws HistoryError with the line if something is not a transaction of the workload, or if two writes
 *   of a key have one value
 * @throws RangeError if there is no such consistency or workload
 * @public
 */
export function checkIsolation(transactions: readonly Transaction[], options: IsolationOptions): IsolationResult {
  const { workload, consistency, memoryMb, budgetMs } = options
  assertConsistency(consistency)
  assertWorkload(workload)
  const findings = new Findings()
  const order = inOrderOfCalls(transactions)
  const sorted = order === undefined ? transactions : Array.from(order, (index) => transactions[index]!)
  let reason: string | undefined
  let held: readonly Consistency[] = []
  try {
    const undecided = analyze(sorted, options, new Limits(memoryMb, budgetMs), findings)
    held = heldModels(impossibleModels(findings.classes), orderOf(consistency), undecided)
    const open = undecided.filter((type) => forbids(consistency, type))
    if (open.length > 0) reason = `the search for ${open.join(', ')} takes too many steps`
    else if (!held.includes(consistency))
      reason = `${[...findings.counts.keys()].join(', ')} found, and not decided whether ${consistency} allows that`
  } catch (error) {
    if (!(error instanceof LimitError)) throw error
    reason = error.message
  }
  const isPromiseBroken = PROMISED.some((type) => findings.classes.has(type))
  const originally = (index: number) => (order === undefined ? index : order[index]!)
  const anomalies = findings.explained.map(
    ({ type, transactions: involved, cycle, explanation }): Anomaly => ({
      type,
      isForbidden: forbids(consistency, type) || (isPromiseBroken && type === 'cyclic-versions'),
      transactions: involved.map(originally),
      ...(cycle && { cycle: cycle.map((step) => ({ ...step, transaction: originally(step.transaction) })) }),
      explanation: `${type}: ${explanation}`,
    }),
  )
  const impossible = impossibleModels(findings.classes)
  const isIllegal = isPromiseBroken || impossible.includes(consistency)
  return {
    verdict: isIllegal ? 'illegal' : reason === undefined ? 'ok' : 'unknown',
    ...(!isIllegal && reason !== undefined && { reason }),
    anomalies: [...anomalies.filter((one) => one.isForbidden), ...anomalies.filter((one) => !one.isForbidden)],
    counts: Object.fromEntries(findings.counts),
    impossible,
    weakest: weakest(impossible),
    strongest: strongest(held),
    keys: findings.keys,
  }
}

/** Found only by way of an order that the caller promises of each key. */
const PROMISED = ['cyclic-versions-process', 'cyclic-versions-realtime'] as const

/** @returns types of cycles that may be there undetected */
function analyze(
  transactions: readonly Transaction[],
  options: IsolationOptions,
  limits: Limits,
  findings: Findings,
): CycleType[] {
  const flat = flatten(transactions, options, limits)
  findings.keys = flat.keys.length
  const { edges, explain } =
    options.workload === 'list-append'
      ? analyzeLists(flat, limits, findings)
      : analyzeRegisters(flat, options, limits, findings)
  limits.checkTime()
  const order = orderOf(options.consistency)
  if (order !== 'data') addProcessEdges(flat, edges)
  if (order === 'realtime') addRealtimeEdges(flat, edges)
  limits.reserve(edges.nodes * BYTES_PER_NODE, 'to find cycles')
  const graph = toGraph(edges)
  limits.checkTime()
  const components = componentsOf(graph, ALL_TYPES)
  limits.checkTime()
  return findCycles(graph, components, transactions.length, order, limits, {
    wants: (type) => findings.wants(type),
    add: (type, steps) => findings.add(type, () => explainCycle(flat, steps!, explain)),
  })
}

interface Analysis {
  readonly edges: EdgeList
  readonly explain: ExplainEdge
}

function analyzeLists(flat: Flat, limits: Limits, findings: Findings): Analysis {
  const versions = listVersions(flat, limits)
  limits.checkTime()
  passLists(flat, versions, findings)
  const reads = flat.key.length - flat.writes.count
  limits.reserve((versions.order.length + flat.keys.length) * 4, 'to find lost updates')
  // Each key has one version more than elements.
  passLostUpdates(
    flat,
    versions.order.length + flat.keys.length,
    (micro) => {
      const id = flat.key[micro]!
      return versions.length[micro]! < 0 ? -1 : versions.start[id]! + id + versions.length[micro]!
    },
    (index, micro) => showList((microOperation(flat, index, micro)[2] ?? []) as readonly unknown[]),
    findings,
  )
  const edges = edgesFor(flat, flat.writes.count + 2 * reads, limits)
  addListEdges(flat, versions, edges)
  return { edges, explain: explainListEdge(flat, versions) }
}

function analyzeRegisters(flat: Flat, options: RegisterOrder, limits: Limits, findings: Findings): Analysis {
  const versions = registerVersions(flat, options, limits, findings)
  limits.checkTime()
  passRegisters(flat, versions, findings)
  limits.reserve((flat.writes.count + flat.keys.length) * 4, 'to find lost updates')
  passLostUpdates(
    flat,
    flat.writes.count + flat.keys.length,
    (micro) => versions.read[micro]!,
    (index, micro) => showValue(microOperation(flat, index, micro)[2]),
    findings,
  )
  const edges = edgesFor(flat, flat.writes.count + 2 * (flat.key.length - flat.writes.count), limits)
  addRegisterEdges(flat, versions, edges)
  return { edges, explain: explainRegisterEdge(flat, versions) }
}

/** @param dataEdges how many there are at most, but for those past auxiliary nodes */
function edgesFor({ transactions, writes }: Flat, dataEdges: number, limits: Limits): EdgeList {
  const count = transactions.length
  limits.reserve(writes.count * 8 + count * 20, 'for the dependencies')
  return new EdgeList(count, dataEdges + 4 * count, limits)
}

/** Indices sorted by their calls; undefined if they stand like this already. */
function inOrderOfCalls(transactions: readonly Transaction[]): Int32Array | undefined {
  let isSorted = true
  for (let index = 1; index < transactions.length; index++)
    if (transactions[index]!.call < transactions[index - 1]!.call) isSorted = false
  if (isSorted) return undefined
  return Int32Array.from(transactions.keys()).sort((a, b) => transactions[a]!.call - transactions[b]!.call || a - b)
}
