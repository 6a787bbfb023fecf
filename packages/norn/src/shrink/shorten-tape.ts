/**
 * Pass: lets the tape run out as early as possible, by binary search.
 *
 * Whatever would be drawn after that is natural, so this takes away at once all that a failure does
 * not need of its end.
 */
import type { Search } from './search.ts'

export async function shortenTape(search: Search): Promise<void> {
  const { input, schedule, fault } = search.best.choices
  let high = Math.min(search.best.choices.length, input.length + schedule.length + fault.length)
  let low = -1
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    const fails = await search.accepts({ ...search.choices, length: middle })
    if (fails) high = middle
    else low = middle
  }
}
