/**
 * The network is partitioned into two groups of nodes. Messages sent across are lost; those in flight
 * wait until it heals.
 *
 * Up to ALL_PARTITIONS nodes, every partition into two groups is a step. With more nodes, only those
 * that separate one node or the first few.
 */
import type { NodeId } from '../system.ts'
import type { Fault, FaultAct, FaultHost } from './fault.ts'

const ALL_PARTITIONS = 8

export const heal: FaultAct = {
  name: 'heal',
  place: 'network',
  weight: 1,
  describe: () => 'heal the network',
  isPossible: ({ network }) => network.isPartitioned,
  perform: healed,
}

export const partition: Fault<'partitions'> = {
  name: 'partition',
  option: 'partitions',
  place: 'network',
  weight: 0.25,
  complexity: 4,
  recovery: heal,
  logged: 'partition',
  never: 'the network was never partitioned',
  sides: partitionsOf,
  describe({ side }, nodes) {
    const groups = groupsOf(nodes, side).map((group) => group.join(', '))
    return `partition ${groups.join(' | ')}`
  },
  isPossible: ({ network }) => !network.isPartitioned,
  perform(host, { side }) {
    host.network.partition(side)
    host.record('partition', -1, '', '', -1, groupsOf(host.nodes, side))
    host.settle()
  },
  calm(host) {
    if (host.network.isPartitioned) healed(host)
  },
}

function healed(host: FaultHost): void {
  host.network.partition(undefined)
  host.record('heal', -1, '', '', -1, undefined)
  host.settle()
}

/** The two groups of nodes that a partition makes. */
function groupsOf(nodes: readonly NodeId[], side: readonly number[]): readonly (readonly NodeId[])[] {
  return [0, 1].map((wanted) => nodes.filter((_, node) => side[node] === wanted))
}

function partitionsOf(count: number): readonly (readonly number[])[] {
  if (count < 2) return []
  const sides = (isAway: (node: number) => boolean) => Array.from({ length: count }, (_, node) => Number(isAway(node)))
  if (count <= ALL_PARTITIONS) {
    // The first node stays on side 0: swapping the sides makes the same partition.
    return Array.from({ length: 2 ** (count - 1) - 1 }, (_, at) =>
      sides((node) => node > 0 && (((at + 1) >> (node - 1)) & 1) === 1),
    )
  }
  const alone = Array.from({ length: count }, (_, one) => sides((node) => node === one))
  const firstFew = Array.from({ length: count - 3 }, (_, at) => sides((node) => node > at + 1))
  return [...alone, ...firstFew]
}
