/**
 * Which lines of an interleaving are shown: of a long one its beginning and end, the surroundings of
 * delays and faults, what differs from the nearest passing execution, and messages that arrive.
 */
import type { Moment } from './moments.ts'

/** Steps shown at the beginning and the end, and on both sides of a delayed one. */
const AROUND = 3
const AT_START = 4
const AT_END = 10
const MAX_WHOLE = 40
/** Steps that differ from a passing execution, and messages, that are shown beside those. */
const MAX_DIFFERING = 40
const MAX_MESSAGES = 24

export function shownOf(moments: readonly Moment[], all = false): boolean[] {
  if (all || moments.length <= MAX_WHOLE) return moments.map(() => true)
  let differing = 0
  let messages = 0
  return moments.map(
    ({ difference, from }, index) =>
      index < AT_START ||
      index >= moments.length - AT_END ||
      moments.slice(Math.max(0, index - AROUND), index + AROUND + 1).some(isNotable) ||
      (difference !== undefined && differing++ < MAX_DIFFERING) ||
      (from !== undefined && messages++ < MAX_MESSAGES),
  )
}

/** Whether it and its surroundings are shown however long the diagram is. */
function isNotable({ delayUs, mark, difference }: Moment): boolean {
  return delayUs > 0 || mark === '◇' || mark === '✗' || difference === 'parting'
}
