/**
 * What counts as an abstract state: two projections of the concrete states of the nodes, the same for
 * every guide, and independent of what a guide counts. Fixed before anything was measured.
 */
import type { RaftState } from '../../systems/etcd-raft/events.ts'

/** The state of each node, in order; undefined while it is down. */
export type Nodes = readonly (RaftState | undefined)[]

export const PROJECTION_NAMES = ['relative', 'symmetric'] as const

export type ProjectionName = (typeof PROJECTION_NAMES)[number]

const MAX_TERMS = 3
const MAX_ENTRIES = 4

export const PROJECTIONS: Readonly<Record<ProjectionName, (nodes: Nodes) => string>> = { relative, symmetric }

/**
 * Each node's role, vote, and term, commit index and last index relative to the lowest of all, capped;
 * whether it has a snapshot; and for each pair of nodes whether their logs conflict.
 */
function relative(nodes: Nodes): string {
  const up = nodes.filter((node) => node !== undefined)
  const term = Math.min(...up.map((node) => node.term))
  const commit = Math.min(...up.map((node) => node.commit))
  const each = nodes.map((node) =>
    node === undefined
      ? '-'
      : [
          node.role[0],
          node.vote,
          Math.min(node.term - term, MAX_TERMS),
          Math.min(node.commit - commit, MAX_ENTRIES),
          Math.min(Math.max(0, node.index - commit), MAX_ENTRIES),
          node.snapshot.index > 0 ? 's' : '',
        ].join(),
  )
  const pairs = up.flatMap((one, at) => up.slice(at + 1).map((other) => (conflict(one, other) ? 'x' : '=')))
  return `${each.join(';')} ${pairs.join('')}`
}

/**
 * How many nodes there are of each kind: role, whether the term is the latest, the log as compared
 * with the most advanced one, whether the commit index is the highest, and whether there is a
 * snapshot.
 */
function symmetric(nodes: Nodes): string {
  const up = nodes.filter((node) => node !== undefined)
  const term = Math.max(...up.map((node) => node.term))
  const commit = Math.max(...up.map((node) => node.commit))
  const advanced = up.reduce<RaftState | undefined>(
    (best, node) => (best === undefined || isMoreAdvanced(node, best) ? node : best),
    undefined,
  )
  const kinds = nodes.map((node) => {
    if (node === undefined) return '-'
    const log = conflict(node, advanced!) ? 'x' : node.index < advanced!.index ? '<' : '='
    const isLatest = node.term === term ? 't' : ''
    const isHighest = node.commit === commit ? 'c' : ''
    return `${node.role[0]}${isLatest}${log}${isHighest}${node.snapshot.index > 0 ? 's' : ''}`
  })
  return kinds.sort().join()
}

/** As Raft compares logs for a vote. */
function isMoreAdvanced(one: RaftState, other: RaftState): boolean {
  return one.logTerm > other.logTerm || (one.logTerm === other.logTerm && one.index > other.index)
}

/** Whether two logs hold entries of different terms at one index. */
function conflict(one: RaftState, other: RaftState): boolean {
  const first = Math.max(one.snapshot.index, other.snapshot.index) + 1
  for (let index = first; index <= Math.min(one.index, other.index); index++) {
    if (one.log[index - one.snapshot.index - 1] !== other.log[index - other.snapshot.index - 1]) return true
  }
  return false
}
