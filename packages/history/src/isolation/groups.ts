/** Numbers sorted into groups, each group a stretch of one array. */
export interface Groups {
  /** Group g is `items` from `start[g]` to before `start[g + 1]`. */
  readonly start: Int32Array
  readonly items: Int32Array
}

/**
 * Groups of the numbers from 0 to before `count`, in order.
 *
 * @param groupOf the group of a number, or -1 if it belongs to none
 */
export function groupsOf(count: number, groups: number, groupOf: (item: number) => number): Groups {
  const start = new Int32Array(groups + 1)
  for (let item = 0; item < count; item++) {
    const group = groupOf(item)
    if (group >= 0) start[group + 1]!++
  }
  for (let group = 0; group < groups; group++) start[group + 1]! += start[group]!
  const next = start.slice(0, groups)
  const items = new Int32Array(start[groups]!)
  for (let item = 0; item < count; item++) {
    const group = groupOf(item)
    if (group >= 0) items[next[group]!++] = item
  }
  return { start, items }
}
