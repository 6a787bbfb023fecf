/**
 * Queues to which each value is added once: Henzinger, Sezgin and Vafeiadis, "Aspect-Oriented
 * Linearizability Proofs" (2013); Bouajjani, Emmi, Enea and Hamza, "On Reducing Linearizability to
 * State Reachability" (2015). In O(n log n).
 *
 * A history is linearizable unless one of four things happens: a value is dequeued that was not
 * enqueued before; or twice; or a value overtakes another; or a dequeue finds the queue empty while
 * at any time some value was in it.
 *
 * An enqueue of unknown outcome has taken effect if its value is dequeued; otherwise leaving it out
 * changes nothing. A dequeue of unknown outcome may have taken any value: then another algorithm
 * has to decide.
 */
import type { Operation } from '../history/operation.ts'
import { canonical } from '../models/canonical.ts'
import { isEmpty, type QueueInput } from '../models/queue.ts'
import type { Decision } from './decision.ts'

interface Item {
  readonly enqueue: number
  dequeue: number | undefined
  readonly isCertain: boolean
  readonly called: number
  readonly enqueued: number
  /** When its dequeue is called and returns; infinite if there is none. */
  taken: number
  returned: number
}

/** Undefined if the algorithm does not apply. */
export function decideQueue(operations: readonly Operation<QueueInput>[]): Decision | undefined {
  const items = new Map<string, Item>()
  for (const [position, { input, outcome, call, return: returned }] of operations.entries()) {
    if (input.f === 'dequeue') {
      if (outcome !== 'ok') return undefined
      continue
    }
    const value = canonical(input.value)
    if (items.has(value) || isEmpty(input.value)) return undefined
    items.set(value, {
      enqueue: position,
      dequeue: undefined,
      isCertain: outcome === 'ok',
      called: call,
      enqueued: outcome === 'ok' ? returned : Number.POSITIVE_INFINITY,
      taken: Number.POSITIVE_INFINITY,
      returned: Number.POSITIVE_INFINITY,
    })
  }
  const empties: number[] = []
  for (const [position, { input, output, call, return: returned }] of operations.entries()) {
    if (input.f !== 'dequeue') continue
    if (isEmpty(output)) {
      empties.push(position)
      continue
    }
    const item = items.get(canonical(output))
    if (item === undefined) return { verdict: 'illegal', operations: [position] }
    if (item.dequeue !== undefined) return illegal(item.enqueue, item.dequeue, position)
    if (returned < item.called) return illegal(item.enqueue, position)
    item.dequeue = position
    item.taken = call
    item.returned = returned
  }
  const present = [...items.values()].filter(({ isCertain, dequeue }) => isCertain || dequeue !== undefined)
  return overtaking(present) ?? neverEmpty(operations, present, empties) ?? { verdict: 'ok' }
}

function illegal(...operations: (number | undefined)[]): Decision {
  const known = operations.filter((operation) => operation !== undefined)
  return { verdict: 'illegal', operations: known.sort((a, b) => a - b) }
}

/** Two values of which the one enqueued later is dequeued earlier. */
function overtaking(items: readonly Item[]): Decision | undefined {
  const byCall = items.toSorted((a, b) => a.called - b.called)
  const byReturn = items.filter(({ enqueued }) => enqueued < Number.POSITIVE_INFINITY)
  byReturn.sort((a, b) => a.enqueued - b.enqueued)
  /** Of those enqueued before the next one's call: the one that is dequeued last. */
  let slowest: Item | undefined
  let next = 0
  for (const item of byCall) {
    for (; next < byReturn.length && byReturn[next]!.enqueued < item.called; next++)
      if (slowest === undefined || byReturn[next]!.taken > slowest.taken) slowest = byReturn[next]
    if (slowest !== undefined && item.returned < slowest.taken)
      return illegal(slowest.enqueue, slowest.dequeue, item.enqueue, item.dequeue)
  }
  return undefined
}

/** A dequeue that finds the queue empty, though from its call to its return some value is in it. */
function neverEmpty(
  operations: readonly Operation[],
  items: readonly Item[],
  empties: readonly number[],
): Decision | undefined {
  const filled = items.filter(({ enqueued, taken }) => enqueued < taken).sort((a, b) => a.enqueued - b.enqueued)
  // Open intervals: at its ends, a value may be out of the queue.
  const spans: { from: number; to: number; first: number; end: number }[] = []
  for (const [index, { enqueued, taken }] of filled.entries()) {
    const last = spans.at(-1)
    if (last === undefined || enqueued >= last.to)
      spans.push({ from: enqueued, to: taken, first: index, end: index + 1 })
    else {
      last.to = Math.max(last.to, taken)
      last.end = index + 1
    }
  }
  for (const position of empties) {
    const { call, return: returned } = operations[position]!
    let low = 0
    let high = spans.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (spans[middle]!.from < call) low = middle + 1
      else high = middle
    }
    const span = spans[low - 1]
    if (span === undefined || returned >= span.to) continue
    const cover = coverOf(filled.slice(span.first, span.end), call, returned)
    return illegal(position, ...cover.flatMap(({ enqueue, dequeue }) => [enqueue, dequeue]))
  }
  return undefined
}

/**
 * Few values of which one is in the queue at any time.
 *
 * @param items by the time they are enqueued; at any time one is in the queue
 */
function coverOf(items: readonly Item[], from: number, to: number): readonly Item[] {
  const cover: Item[] = []
  let last: Item | undefined
  let next = 0
  for (let time = from; time <= to; time = last!.taken) {
    for (; next < items.length && items[next]!.enqueued < time; next++)
      if (last === undefined || items[next]!.taken > last.taken) last = items[next]
    cover.push(last!)
  }
  return cover
}
