/**
 * Ranks of two samples put together, the ground on which Mann-Whitney's U and Vargha and Delaney's
 * A stand.
 *
 * Equal values share the mean of the ranks that they take up (midranks). Infinite is a value like
 * any other, larger than all finite ones and equal to itself: so "not found within the budget" can
 * stand as Infinity, if the budget of all trials is the same.
 */
import { assertSample } from './sample.ts'

export interface Ranks {
  /** Sum of the ranks, counted from 1, of the first sample. */
  readonly sumOfFirst: number
  /** How many values share each value that more than one has. */
  readonly ties: readonly number[]
}

export function ranks(first: readonly number[], second: readonly number[]): Ranks {
  assertSample(first, 'the first sample')
  assertSample(second, 'the second sample')
  const all = [
    ...first.map((value) => ({ value, isFirst: true })),
    ...second.map((value) => ({ value, isFirst: false })),
  ].sort((a, b) => (a.value < b.value ? -1 : a.value > b.value ? 1 : 0))
  const ties: number[] = []
  let sumOfFirst = 0
  for (let from = 0, to = 0; from < all.length; from = to) {
    while (to < all.length && all[to]!.value === all[from]!.value) to++
    const rank = (from + 1 + to) / 2
    for (let at = from; at < to; at++) if (all[at]!.isFirst) sumOfFirst += rank
    if (to - from > 1) ties.push(to - from)
  }
  return { sumOfFirst, ties }
}
