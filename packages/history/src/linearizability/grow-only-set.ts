/**
 * Sets that each element is added to once and none is removed from, in O(n log n) and the size of
 * what is read.
 *
 * The reads have to be a chain of ever larger sets. That gives each operation a place: a read after
 * the reads of smaller sets, an add before the first read that has its element. The history is
 * linearizable if and only if no operation has returned before the call of one whose place is before
 * its own: each such pair contradicts, and otherwise the places are a linearization. (The idea that
 * reads of collections recover the order of writes is that of Kingsbury and Alvaro, "Elle", 2020.)
 *
 * An add of unknown outcome has taken effect if its element is read; otherwise leaving it out changes
 * nothing.
 */
import type { Operation } from '../history/operation.ts'
import { canonical } from '../models/canonical.ts'
import { elementsOf, type SetInput } from '../models/set.ts'
import type { Decision } from './decision.ts'

/** Undefined if the algorithm does not apply. */
export function decideGrowOnlySet(operations: readonly Operation<SetInput>[]): Decision | undefined {
  const adds = new Map<string, number>()
  const reads: { position: number; elements: ReadonlySet<string> }[] = []
  for (const [position, { input, output, outcome }] of operations.entries()) {
    if (input.f === 'read') {
      if (outcome !== 'ok') continue
      const elements = elementsOf(output)
      if (elements === undefined) return { verdict: 'illegal', operations: [position] }
      reads.push({ position, elements })
      continue
    }
    const element = canonical(input.value)
    if (input.f !== 'add' || adds.has(element)) return undefined
    adds.set(element, position)
  }
  reads.sort((a, b) => a.elements.size - b.elements.size)
  /** Even ones are of adds, odd ones of reads. */
  const places = new Map<number, number>()
  let size = 0
  for (const [index, { position, elements }] of reads.entries()) {
    const before = reads[index - 1]
    const place =
      before === undefined ? 1 : places.get(before.position)! + (before.elements.size < elements.size ? 2 : 0)
    for (const element of elements) {
      const add = adds.get(element)
      if (add === undefined) return { verdict: 'illegal', operations: [position] }
      if (places.has(add)) continue
      places.set(add, place - 1)
      size++
    }
    if (size !== elements.size) return sorted(before!.position, position)
    places.set(position, place)
  }
  for (const add of adds.values())
    if (!places.has(add) && operations[add]!.outcome === 'ok') places.set(add, 2 * operations.length)
  const order = [...places.keys()].sort(
    (a, b) => places.get(a)! - places.get(b)! || operations[a]!.call - operations[b]!.call,
  )
  return contradiction(operations, order, places, reads) ?? { verdict: 'ok', order }
}

/** Two operations whose places are not in the order of time. */
function contradiction(
  operations: readonly Operation[],
  order: readonly number[],
  places: ReadonlyMap<number, number>,
  reads: readonly { readonly position: number }[],
): Decision | undefined {
  const returnOf = (position: number) =>
    operations[position]!.outcome === 'ok' ? operations[position]!.return : Number.POSITIVE_INFINITY
  /** Of the places after this one: what returns first. */
  let earliest: number | undefined
  let pending: number | undefined
  for (let index = order.length - 1; index >= 0; index--) {
    const position = order[index]!
    if (index + 1 < order.length && places.get(order[index + 1]!) !== places.get(position)) earliest = pending
    if (earliest !== undefined && returnOf(earliest) < operations[position]!.call) {
      // The read that puts an add there.
      const place = places.get(position)!
      const read = place % 2 === 0 ? reads.find((one) => places.get(one.position) === place + 1) : undefined
      return sorted(earliest, position, ...(read === undefined ? [] : [read.position]))
    }
    if (pending === undefined || returnOf(position) < returnOf(pending)) pending = position
  }
  return undefined
}

function sorted(...operations: number[]): Decision {
  return { verdict: 'illegal', operations: [...new Set(operations)].sort((a, b) => a - b) }
}
