/**
 * Pass: puts smaller values before larger ones of the same range, so that equal failures look
 * equal.
 */

import type { Search } from './search.ts'
import { rankOf } from './simplicity.ts'

/** How far apart two values may stand that change places. */
const SORT_REACH = 8

export async function sortValues(search: Search): Promise<void> {
  for (let first = 0; first < search.choices.input.length; first++) {
    for (let second = first + 1; second <= first + SORT_REACH; second++) {
      const { input } = search.choices
      const [a, b] = [input[first], input[second]]
      if (a === undefined || b === undefined) break
      if (a.min !== b.min || a.max !== b.max || rankOf(a) <= rankOf(b)) continue
      const swapped = input.map((choice) =>
        choice === a ? { ...a, value: b.value } : choice === b ? { ...b, value: a.value } : choice,
      )
      await search.acceptsInput(swapped)
    }
  }
}
