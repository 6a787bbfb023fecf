/**
 * The versions of each register that reads returned, and a partial order of them.
 *
 * The initial version precedes all others. A transaction that reads one version and writes another orders
 * them, as a write follows what its transaction has read. Sessions or real time order more if the caller
 * says that each key is sequentially consistent or linearizable.
 */
import { componentsOf } from './components.ts'
import { ALL_TYPES } from './cycles.ts'
import { EdgeList, toGraph, WW } from './edges.ts'
import { explainWith } from './explain.ts'
import type { Findings } from './findings.ts'
import { FAILED, type Flat, microOperation, OK, writtenValue } from './flat.ts'
import { groupsOf } from './groups.ts'
import type { Limits } from './limits.ts'
import { showKey, showValue } from './words.ts'

/** What the versions of a register are ordered by, beside what transactions read and then write. */
export interface RegisterOrder {
  /** What registers have before their first write, beside nil; default nil. */
  readonly initial?: unknown
  /** Each key is sequentially consistent: a process never sees or writes an older version than before. */
  readonly sequentialKeys?: boolean
  /** Each key is linearizable: so does no transaction called after another one returned. */
  readonly linearizableKeys?: boolean
}

export interface RegisterVersions {
  /**
   * By micro-operation, of committed reads: the version read. It is the number of its write, or of the
   * key plus the number of writes for the initial one, or -1 if nobody wrote it.
   */
  readonly read: Int32Array
  /** By micro-operation: its transaction. */
  readonly transaction: Int32Array
  /** Versions that follow version v directly: from `start[v]` to before `start[v + 1]`. */
  readonly start: Int32Array
  readonly next: Int32Array
}

type Source = 'cyclic-versions' | 'cyclic-versions-process' | 'cyclic-versions-realtime'
const SOURCES: Readonly<Record<Source, string>> = {
  'cyclic-versions': 'transactions that read one version and wrote the next',
  'cyclic-versions-process': 'transactions that read one version and wrote the next, and the order of each process',
  'cyclic-versions-realtime': 'transactions that read one version and wrote the next, and real time',
}

/** Reports `cyclic-versions`; then the source of the contradiction does not order that key. */
export function registerVersions(
  flat: Flat,
  { initial, sequentialKeys, linearizableKeys }: RegisterOrder,
  limits: Limits,
  findings: Findings,
): RegisterVersions {
  const { transactions, status, start, key, write, previous, keys, writes } = flat
  const versionCount = writes.count + keys.length
  limits.reserve(key.length * 24 + versionCount * 32, 'to order the versions')
  const read = new Int32Array(key.length).fill(-1)
  const transaction = new Int32Array(key.length)
  /** By the first micro-operation of a transaction on a key: its last write of the key, or -1. */
  const written = new Int32Array(key.length).fill(-1)
  for (let index = 0; index < transactions.length; index++)
    for (let micro = start[index]!; micro < start[index + 1]!; micro++) {
      transaction[micro] = index
      if (write[micro]! >= 0) {
        if (writes.isOverwritten[write[micro]!] === 1) continue
        let first = micro
        while (previous[first]! >= 0) first = previous[first]!
        written[first] = write[micro]!
      } else if (status[index] === OK) {
        const value = microOperation(flat, index, micro)[2]
        const isInitial = value === null || value === undefined || value === initial
        read[micro] = isInitial ? writes.count + key[micro]! : writes.find(key[micro]!, value)
      }
    }

  /** The first version of a key that a transaction saw or made, and the last; -1 if not known. */
  const firstVersion = (micro: number) => (read[micro]! >= 0 ? read[micro]! : written[micro]!)
  const lastVersion = (micro: number) => (written[micro]! >= 0 ? written[micro]! : read[micro]!)

  let edges = new EdgeList(0, 0, limits)
  edges.nodes = versionCount
  const order = (before: number, after: number, list: EdgeList) => {
    if (before >= 0 && after >= 0 && before < writes.count) list.add(before, after, WW, 0)
  }

  const own = new EdgeList(0, 0, limits)
  for (let micro = 0; micro < key.length; micro++) {
    if (previous[micro]! >= 0 || written[micro]! < 0) continue
    const before = read[micro]!
    if (before >= 0 && before < writes.count && writes.transaction[before] !== transaction[micro])
      order(before, written[micro]!, own)
  }
  edges = merged(edges, own, 'cyclic-versions')
  if (sequentialKeys) {
    const sessions = new EdgeList(0, 0, limits)
    const processes = new Map<number | string, Map<number, number>>()
    for (let micro = 0; micro < key.length; micro++) {
      const index = transaction[micro]!
      if (previous[micro]! >= 0 || status[index] === FAILED) continue
      const { process } = transactions[index]!
      let last = processes.get(process)
      if (last === undefined) processes.set(process, (last = new Map()))
      order(last.get(key[micro]!) ?? -1, firstVersion(micro), sessions)
      if (status[index] === OK && lastVersion(micro) >= 0) last.set(key[micro]!, lastVersion(micro))
    }
    edges = merged(edges, sessions, 'cyclic-versions-process')
  }
  if (linearizableKeys) {
    const realtime = new EdgeList(0, 0, limits)
    const uses = groupsOf(key.length, keys.length, (micro) =>
      previous[micro]! >= 0 || status[transaction[micro]!] === FAILED ? -1 : key[micro]!,
    )
    for (let id = 0; id < keys.length; id++)
      orderByTime(uses.items.subarray(uses.start[id]!, uses.start[id + 1]!), realtime)
    edges = merged(edges, realtime, 'cyclic-versions-realtime')
  }
  const { offsets, targets } = toGraph(edges)
  return { read, transaction, start: offsets, next: targets }

  /**
   * From each use to those called after its return, but for those that follow from others. As calls grow,
   * so does the latest call of what has returned before them; what returned before that is covered.
   */
  function orderByTime(micros: Int32Array, list: EdgeList): void {
    const of = (micro: number) => transactions[transaction[micro]!]!
    const returned = micros
      .filter((micro) => status[transaction[micro]!] === OK && lastVersion(micro) >= 0)
      .sort((a, b) => of(a).return - of(b).return)
    let covered = 0
    let done = 0
    let latest = Number.NEGATIVE_INFINITY
    for (const micro of micros) {
      const { call } = of(micro)
      for (; done < returned.length && of(returned[done]!).return < call; done++)
        latest = Math.max(latest, of(returned[done]!).call)
      while (covered < done && of(returned[covered]!).return < latest) covered++
      for (let at = covered; at < done; at++) order(lastVersion(returned[at]!), firstVersion(micro), list)
    }
  }

  /** Both, but for added edges of keys that would then have a cycle. */
  function merged(known: EdgeList, added: EdgeList, source: Source): EdgeList {
    const both = new EdgeList(0, known.count + added.count, limits)
    both.nodes = versionCount
    for (let edge = 0; edge < known.count; edge++) both.add(known.from[edge]!, known.to[edge]!, WW, 0)
    for (let edge = 0; edge < added.count; edge++) {
      both.add(added.from[edge]!, added.to[edge]!, WW, 0)
      // The initial version precedes all.
      if (added.to[edge]! >= writes.count) both.add(added.to[edge]!, added.from[edge]!, WW, 0)
    }
    const { of, size, count } = componentsOf(toGraph(both), ALL_TYPES)
    const keyOf = (version: number) => (version < writes.count ? writes.key[version]! : version - writes.count)
    const isCyclic = new Uint8Array(keys.length)
    const reported = new Uint8Array(count)
    const members = groupsOf(versionCount, count, (version) => (size[of[version]!]! > 1 ? of[version]! : -1))
    for (let version = 0; version < versionCount; version++) {
      const component = of[version]!
      if (size[component]! < 2) continue
      isCyclic[keyOf(version)] = 1
      if (reported[component] === 1) continue
      reported[component] = 1
      const versions = [...members.items.subarray(members.start[component]!, members.start[component + 1]!)]
      reportCycle(keyOf(version), versions, source)
    }
    const accepted = new EdgeList(0, known.count + added.count, limits)
    accepted.nodes = versionCount
    for (const list of [known, added])
      for (let edge = 0; edge < list.count; edge++)
        if (list === known || isCyclic[keyOf(list.to[edge]!)] === 0)
          accepted.add(list.from[edge]!, list.to[edge]!, WW, 0)
    return accepted
  }

  function reportCycle(id: number, versions: readonly number[], source: Source): void {
    findings.add(
      'cyclic-versions',
      () => {
        const written = versions.filter((version) => version < writes.count).slice(0, MAX_SHOWN)
        const values = written.map((version) => showValue(writtenValue(flat, version)))
        if (versions.some((version) => version >= writes.count)) values.unshift('nil')
        return explainWith(
          flat,
          written.map((version) => writes.transaction[version]!),
          () =>
            `the versions ${values.join(', ')} of ${showKey(keys[id])} would each come before the others, ` +
            `by ${SOURCES[source]}`,
        )
      },
      source,
    )
  }
}

const MAX_SHOWN = 8
