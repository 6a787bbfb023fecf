/** What clients ask. */
import type { Variant } from './cluster-options.ts'
import type { Request } from './events.ts'

/** Writes, compare-and-sets and linearizable reads of one register. */
export const OPERATIONS: readonly Request[] = [
  { f: 'write', value: 1 },
  { f: 'read' },
  { f: 'write', value: 2 },
  { f: 'cas', from: 2, to: 3 },
  { f: 'read' },
  { f: 'cas', from: 1, to: 4 },
  { f: 'write', value: 5 },
  { f: 'read' },
]

/** A variant of the cluster around the library itself. */
export type Workload = Omit<Variant, 'mutant'>

/** Many reads, while partitions leave leaders behind. */
export const READS: Workload = {
  faults: { crashes: 2, drops: 2, partitions: 4 },
  requests: Array.from({ length: 8 }, (_, value): Request[] => [
    { f: 'write', value },
    { f: 'read' },
    { f: 'read' },
  ]).flat(),
}

/** Transfers of leadership between operations. */
export const TRANSFERS: Workload = {
  requests: OPERATIONS.flatMap((operation, index) => [operation, { transfer: 'abc'[index % 3]! }]),
}

/** Three voters and two more nodes: learners, promotions, replacements through joint configurations, removals. */
export const MEMBERSHIP: Workload = {
  nodes: ['a', 'b', 'c', 'd', 'e'],
  voters: 3,
  requests: [
    { f: 'write', value: 1 },
    { configure: 'l4' },
    { configure: 'v4' },
    { f: 'write', value: 2 },
    { configure: 'v5 r1', transition: 'explicit' },
    { f: 'read' },
    { configure: '' },
    { configure: 'r2' },
    { f: 'write', value: 3 },
    { configure: 'v1 v2 r4 r5', transition: 'explicit' },
    { configure: '' },
    { f: 'read' },
  ],
}

/**
 * One voter, which reads alone, and is joined by others. It does not go back: where the leader of two
 * voters removes itself, the other may wait for its vote for ever, as the library's doc.go warns.
 */
export const GROWTH: Workload = {
  voters: 1,
  requests: [
    { f: 'write', value: 1 },
    { f: 'read' },
    { configure: 'v2' },
    { f: 'read' },
    { f: 'cas', from: 1, to: 2 },
    { configure: 'v3' },
    { f: 'read' },
    { f: 'write', value: 3 },
    { f: 'read' },
  ],
}
