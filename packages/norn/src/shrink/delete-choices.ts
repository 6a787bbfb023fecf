/**
 * Pass: deletes runs of input choices, lowering an earlier choice that may be their count.
 *
 * It knows nothing of spans, so it finds what they do not show: a choice of a user's own arbitrary,
 * a part that is drawn by hand. Where there are spans within an input, they have been deleted
 * before with their counts, and less is tried.
 */
import { isSimplest } from '../contract/choice.ts'
import type { Search } from './search.ts'
import { nearer } from './values.ts'

/**
 * Choices that are deleted at once, and how far back their count is looked for: without spans, and
 * with them.
 */
const WITHOUT_SPANS = { run: 8, reach: 24 }
const WITH_SPANS = { run: 3, reach: 2 }

export async function deleteChoices(search: Search): Promise<void> {
  const { run, reach } = search.spans.some(({ parent }) => parent !== undefined) ? WITH_SPANS : WITHOUT_SPANS
  for (let size = Math.min(run, search.choices.input.length); size >= 1; size--) {
    for (let start = search.choices.input.length - size; start >= 0; start--) {
      const current = search.choices
      if (start + size > current.input.length) continue
      const rest = current.input.filter((_, index) => index < start || index >= start + size)
      if (await search.acceptsInput(rest)) continue
      for (let counter = start - 1; counter >= 0 && counter >= start - reach; counter--) {
        const lowered = rest.map((choice, index) => (index === counter ? nearer(choice, 1n) : choice))
        if (isSimplest(rest[counter]!)) continue
        if (await search.acceptsInput(lowered)) break
      }
    }
  }
}
