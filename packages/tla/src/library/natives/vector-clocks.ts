/** Native of VectorClocks: sorts a log causally, by vector clocks (Mattern 1989, Fidge 1988). */
import { asSet, canonical } from '../../values/canonical.ts'
import { apply } from '../../values/functions.ts'
import { compare } from '../../values/order.ts'
import { refusal } from '../../values/refuse.ts'
import type { Canonical, Operator, Value } from '../../values/value.ts'
import { type NativeTable, pure } from '../native.ts'
import { integer, sequence } from '../operands.ts'

interface Entry {
  readonly value: Canonical
  /** The node's own time. */
  readonly time: number
  /** The time of each node in its vector clock. */
  readonly clock: ReadonlyMap<Canonical, number>
}

/** The entries of each node, sorted by its own time. */
function byNode(log: readonly Canonical[], clock: Operator, node: Operator, domain: Operator): Map<Canonical, Entry[]> {
  const queues = new Map<Canonical, Entry[]>()
  for (const value of log) {
    const times = clock(value)
    const at = canonical(node(value))
    const known = new Map<Canonical, number>()
    for (const each of asSet(domain(times)).elements)
      known.set(each, integer(apply(times, each), 'second', 'CausalOrder'))
    const entry = { value, time: integer(apply(times, at), 'second', 'CausalOrder'), clock: known }
    const queue = queues.get(at)
    if (queue === undefined) queues.set(at, [entry])
    else queue.push(entry)
  }
  for (const queue of queues.values()) queue.sort((a, b) => a.time - b.time)
  return queues
}

/** Takes the next entry of each node in turn, once all entries that its clock covers are taken. */
function causalOrder(log: readonly Canonical[], clock: Operator, node: Operator, domain: Operator): Canonical[] {
  const queues = byNode(log, clock, node, domain)
  const nodes = [...queues.keys()].sort(compare)
  const isReady = (at: Canonical, entry: Entry) => {
    for (const [other, time] of entry.clock) {
      // Entries of the other node up to this time come first.
      if (other !== at && (queues.get(other)?.[0]?.time ?? Number.POSITIVE_INFINITY) <= time) return false
    }
    return true
  }
  const ordered: Canonical[] = []
  while (ordered.length < log.length) {
    const before = ordered.length
    for (const at of nodes) {
      const queue = queues.get(at)!
      const entry = queue[0]
      if (entry === undefined || !isReady(at, entry)) continue
      queue.shift()
      ordered.push(entry.value)
    }
    if (ordered.length === before) throw refusal('the vector clocks of the log are cyclic: no next entry is possible')
  }
  return ordered
}

export const VECTOR_CLOCKS: NativeTable = {
  CausalOrder: pure(
    ({ arena }) =>
      (log: Value, clock: Operator, node: Operator, domain: Operator) =>
        arena.tuple(causalOrder(sequence(log, 'first', 'CausalOrder'), clock, node, domain)),
  ),
}
