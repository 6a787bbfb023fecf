/**
 * Registers to which each value is written once: Gibbons and Korach, "Testing Shared Memories" (1997),
 * in O(n log n).
 *
 * A write and the reads of its value are a cluster, which has to stand together. From the first
 * return in it to the last call is its zone, forward if it has some length; otherwise from the last
 * call to the first return, backward. One cluster must stand before another if its first return is
 * before the other's last call. So two forward zones must not overlap, and no backward zone lies
 * in a forward one.
 *
 * A write of unknown outcome has taken effect if its value is read; otherwise leaving it out
 * changes nothing. The initial value is written before everything.
 */
import type { Operation } from '../history/operation.ts'
import { canonical } from '../models/canonical.ts'
import type { CasRegisterInput } from '../models/register.ts'
import type { Decision } from './decision.ts'

interface Cluster {
  /** Undefined for the initial value. */
  readonly write: number | undefined
  readonly isCertain: boolean
  readonly reads: number[]
  firstReturn: number
  lastCall: number
  /** The operations with these times. */
  firstReturning: number | undefined
  lastCalled: number | undefined
}

/** Undefined if the algorithm does not apply: a value is written twice, or there is a cas. */
export function decideUniqueRegister(
  operations: readonly Operation<CasRegisterInput>[],
  initial: unknown,
): Decision | undefined {
  const clusters = new Map<string, Cluster>()
  const first = Number.NEGATIVE_INFINITY
  const none = { firstReturning: undefined, lastCalled: undefined }
  clusters.set(canonical(initial), {
    write: undefined,
    isCertain: false,
    reads: [],
    firstReturn: first,
    lastCall: first,
    ...none,
  })
  for (const [position, { input, outcome, call, return: returned }] of operations.entries()) {
    if (input.f === 'read') continue
    if (input.f !== 'write') return undefined
    const value = canonical(input.value)
    if (clusters.has(value)) return undefined
    clusters.set(value, {
      write: position,
      isCertain: outcome === 'ok',
      reads: [],
      firstReturn: outcome === 'ok' ? returned : Number.POSITIVE_INFINITY,
      lastCall: call,
      firstReturning: position,
      lastCalled: position,
    })
  }
  for (const [position, { input, output, outcome, call, return: returned }] of operations.entries()) {
    if (input.f !== 'read' || outcome !== 'ok') continue
    const cluster = clusters.get(canonical(output ?? null))
    if (cluster === undefined) return { verdict: 'illegal', operations: [position] }
    const { write } = cluster
    if (write !== undefined && returned < operations[write]!.call)
      return { verdict: 'illegal', operations: [write, position] }
    cluster.reads.push(position)
    if (returned < cluster.firstReturn) {
      cluster.firstReturn = returned
      cluster.firstReturning = position
    }
    if (call > cluster.lastCall) {
      cluster.lastCall = call
      cluster.lastCalled = position
    }
  }
  const present = [...clusters.values()].filter(({ isCertain, reads }) => isCertain || reads.length > 0)
  const conflict = conflictOf(present)
  if (conflict !== undefined) {
    const members = conflict.flatMap(({ write, firstReturning, lastCalled }) => [write, firstReturning, lastCalled])
    const unique = new Set(members.filter((member) => member !== undefined))
    return { verdict: 'illegal', operations: [...unique].sort((a, b) => a - b) }
  }
  // If a must stand before b and not b before a, then a's sum is the smaller one.
  present.sort((a, b) => difference(a.firstReturn, b.firstReturn) + difference(a.lastCall, b.lastCall))
  return {
    verdict: 'ok',
    order: present.flatMap(({ write, reads }) => (write === undefined ? reads : [write, ...reads])),
  }
}

/** Two clusters of which each must stand before the other. */
function conflictOf(clusters: readonly Cluster[]): readonly [Cluster, Cluster] | undefined {
  const forward = clusters
    .filter(({ firstReturn, lastCall }) => firstReturn < lastCall)
    .sort((a, b) => difference(a.firstReturn, b.firstReturn))
  for (let index = 1; index < forward.length; index++) {
    const before = forward[index - 1]!
    if (forward[index]!.firstReturn < before.lastCall) return [before, forward[index]!]
  }
  for (const cluster of clusters) {
    if (cluster.firstReturn < cluster.lastCall) continue
    const around = lastBefore(forward, cluster.lastCall)
    if (around !== undefined && cluster.firstReturn < around.lastCall) return [around, cluster]
  }
  return undefined
}

/** The last of the forward zones that begins before a time. */
function lastBefore(forward: readonly Cluster[], time: number): Cluster | undefined {
  let low = 0
  let high = forward.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (forward[middle]!.firstReturn < time) low = middle + 1
    else high = middle
  }
  return forward[low - 1]
}

function difference(a: number, b: number): number {
  return a === b ? 0 : a - b
}
