/**
 * The anomalies, and which of them are special cases of others. Names and implications follow Adya (Weak
 * Consistency, 1999) and Elle (Kingsbury & Alvaro, VLDB 2020).
 *
 * No workload here has predicates, so each G-single and G-nonadjacent is what Elle has come to call
 * `G-single-item` and `G-nonadjacent-item`.
 */

export type CycleBase = 'G0' | 'G1c' | 'G-single' | 'G-nonadjacent' | 'G2-item'
/** With edges from one transaction of a process to its next, or from a return to later calls. */
export type CycleType = CycleBase | `${CycleBase}-process` | `${CycleBase}-realtime`

/**
 * `G1a`: a read of what an aborted transaction wrote. `G1b`: a read of what a transaction wrote over
 * later. `internal`: a read that disagrees with what its own transaction read or wrote before, or a list
 * with the appends of a transaction in another order.
 * `future-read`: a read of what its own transaction writes later. `dirty-update`: a committed write upon
 * an aborted one. `lost-update`: two transactions read one version of a key, and both write the key.
 * `duplicate-elements`: a list that has an element twice. `incompatible-order`: two reads of a list of
 * which neither is a prefix of the other. `cyclic-versions`: the versions of a register precede each
 * other. `garbage-read`: a read of what nobody wrote.
 *
 * @public
 */
export type AnomalyType =
  | CycleType
  | 'G1a'
  | 'G1b'
  | 'internal'
  | 'future-read'
  | 'dirty-update'
  | 'lost-update'
  | 'duplicate-elements'
  | 'incompatible-order'
  | 'cyclic-versions'
  | 'garbage-read'

/** Classes that anomalies belong to, and that no single finding is. */
export type AnomalyClass =
  | AnomalyType
  | 'G1'
  | 'G1-process'
  | 'G1-realtime'
  | 'G2'
  | 'G2-process'
  | 'G2-realtime'
  | 'cyclic-versions-process'
  | 'cyclic-versions-realtime'

/**
 * How one transaction of a cycle comes before the next.
 *
 * @public
 */
export type EdgeName = 'ww' | 'wr' | 'rw' | 'process' | 'realtime'

/**
 * A transaction of a cycle, and why it comes before the next.
 *
 * @public
 */
export interface CycleStep {
  /** Index in the transactions that were checked. */
  readonly transaction: number
  /** To the transaction of the next step; that of the last step leads to the first. */
  readonly edge: EdgeName
  /** The key and the value written that the edge is about, unless it is `process` or `realtime`. */
  readonly key?: unknown
  readonly value?: unknown
  /** `T1 appended 1 to x, and T2 read it`. */
  readonly because: string
}

/**
 * What a history of transactions shows that a consistency forbids, with the transactions that show
 * it.
 *
 * @public
 */
export interface Anomaly {
  readonly type: AnomalyType
  /** If the consistency asked for forbids it. */
  readonly isForbidden: boolean
  /** Indices in the transactions that were checked; the explanation calls them T1, T2, ... in this order. */
  readonly transactions: readonly number[]
  readonly cycle?: readonly CycleStep[]
  /** Lines of text. The first says what is wrong, the others show the transactions. */
  readonly explanation: string
}

const CYCLES: Readonly<Record<CycleBase, readonly (CycleBase | 'G1' | 'G2')[]>> = {
  G0: ['G1c'],
  G1c: ['G1'],
  'G-single': ['G-nonadjacent'],
  'G-nonadjacent': ['G2-item'],
  'G2-item': ['G2'],
}

/** Each anomaly with those that it is a case of. */
const IMPLIED: ReadonlyMap<AnomalyClass, readonly AnomalyClass[]> = new Map<AnomalyClass, AnomalyClass[]>([
  ...Object.entries(CYCLES).flatMap(([name, implied]): [AnomalyClass, AnomalyClass[]][] => {
    const base = name as CycleBase
    return [
      [base, [...implied, `${base}-process`]],
      [`${base}-process`, [...implied.map((other): AnomalyClass => `${other}-process`), `${base}-realtime`]],
      [`${base}-realtime`, implied.map((other): AnomalyClass => `${other}-realtime`)],
    ]
  }),
  ['G1', ['G1-process']],
  ['G1-process', ['G1-realtime']],
  ['G2', ['G2-process']],
  ['G2-process', ['G2-realtime']],
  ['G1a', ['G1']],
  ['G1b', ['G1']],
  ['incompatible-order', ['G1a']],
  ['dirty-update', ['G1a']],
  ['garbage-read', ['G1a']],
  ['future-read', ['G1c']],
  ['lost-update', ['G2-item']],
  // Registers whose versions are ordered by a transaction that reads one and writes the other: if they
  // are in a cycle then so are those that read them from each other.
  ['cyclic-versions', ['G1c']],
  // Versions that are also ordered by sessions or by real time, which these models promise for each key.
  ['cyclic-versions-process', ['G-nonadjacent-process']],
  ['cyclic-versions-realtime', ['G-nonadjacent-realtime']],
])

/** The classes given, and those they are cases of. */
export function withImplied(classes: Iterable<AnomalyClass>): Set<AnomalyClass> {
  const all = new Set(classes)
  for (const one of all) for (const implied of IMPLIED.get(one) ?? []) all.add(implied)
  return all
}
