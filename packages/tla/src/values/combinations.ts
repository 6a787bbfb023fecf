/**
 * All ways to take one element of each of some lists, the last one changing fastest: in the order of `compare` if the
 * lists are.
 */
import type { Canonical } from './value.ts'

/** Each combination is an array of its own. */
export function* combinations(lists: readonly (readonly Canonical[])[]): Iterable<Canonical[]> {
  if (lists.some((list) => list.length === 0)) return
  const places = lists.map(() => 0)
  const current = lists.map((list) => list[0]!)
  for (;;) {
    yield current.slice()
    let at = lists.length - 1
    while (at >= 0 && places[at] === lists[at]!.length - 1) {
      places[at] = 0
      current[at] = lists[at]![0]!
      at--
    }
    if (at < 0) return
    current[at] = lists[at]![++places[at]!]!
  }
}
