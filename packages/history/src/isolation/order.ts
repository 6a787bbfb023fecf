/** Edges between transactions that do not depend on data: of processes, and of real time. */
import { type EdgeList, PROCESS, REALTIME, THROUGH } from './edges.ts'
import { FAILED, type Flat, OK } from './flat.ts'

/**
 * From each committed transaction to the next of its process, and to those of unknown outcome before it:
 * nothing follows one whose outcome is unknown.
 */
export function addProcessEdges({ transactions, status }: Flat, edges: EdgeList): void {
  const last = new Map<number | string, number>()
  for (let index = 0; index < transactions.length; index++) {
    if (status[index] === FAILED) continue
    const { process } = transactions[index]!
    const before = last.get(process)
    if (before !== undefined) edges.add(before, index, PROCESS, 0)
    if (status[index] === OK) last.set(process, index)
  }
}

/**
 * From each committed transaction to all that are called after its return. Transactions stand in the
 * order of their calls, so those are all from some place on. There is an auxiliary node for each such
 * place, which leads to the transactions until the next place, and to its node: the transitive closure
 * in a linear number of edges.
 */
export function addRealtimeEdges({ transactions, status }: Flat, edges: EdgeList): void {
  const count = transactions.length
  const calls = new Float64Array(count)
  for (let index = 0; index < count; index++) calls[index] = transactions[index]!.call
  /** By transaction: the first one called after its return. */
  const following = new Int32Array(count)
  /** By transaction: 1 if such a place begins with it, and then the number of places up to it. */
  const place = new Int32Array(count + 1)
  for (let index = 0; index < count; index++) {
    following[index] = count
    if (status[index] !== OK) continue
    following[index] = firstAfter(calls, index, transactions[index]!.return)
    place[following[index]!] = 1
  }
  let places = 0
  const first = edges.nodes - 1
  for (let index = 0; index < count; index++) {
    if (place[index] === 1) {
      if (places > 0) edges.add(first + places, first + places + 1, THROUGH, 0)
      places++
    }
    place[index] = places
    if (places > 0 && status[index] !== FAILED) edges.add(first + places, index, THROUGH, 0)
  }
  edges.nodes += places
  for (let index = 0; index < count; index++)
    if (following[index]! < count) edges.add(index, first + place[following[index]!]!, REALTIME, 0)
}

/** The first call later than a time, searched for in growing steps from `from`, as it is mostly near. */
function firstAfter(calls: Float64Array, from: number, time: number): number {
  let step = 1
  let low = from
  while (low + step < calls.length && calls[low + step]! <= time) {
    low += step
    step *= 2
  }
  let high = Math.min(calls.length, low + step)
  low++
  while (low < high) {
    const middle = (low + high) >>> 1
    if (calls[middle]! <= time) low = middle + 1
    else high = middle
  }
  return low
}
