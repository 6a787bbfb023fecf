/**
 * Pass: moves value from an input choice to a later one, as much as goes (Hypothesis's
 * redistribution of pairs): where a sum matters no value can be lowered alone. An earlier choice
 * that has come down to its natural value that way may then be deleted: of a sum as few terms
 * remain as can make it.
 */
import { isSimplest } from '../contract/choice.ts'
import type { Search } from './search.ts'
import { distance, mostSteps, withValue } from './values.ts'

/** How far apart two choices may stand; value travels farther in several rounds. */
const REACH = 8

export async function redistribute(search: Search): Promise<void> {
  for (let first = 0; first < search.choices.input.length; first++) {
    for (let second = first + 1; second <= first + REACH && !search.exhausted; second++) {
      const { input } = search.choices
      const [from, to] = [input[first], input[second]]
      if (from === undefined || to === undefined) break
      if (isSimplest(from) || typeof from.value !== typeof to.value || to.min === to.max) continue
      const [a, b] = [BigInt(from.value), BigInt(to.value)]
      const down = withValue(from, 0n).value < from.value
      const room = down ? BigInt(to.max) - b : b - BigInt(to.min)
      const most = distance(from) < room ? distance(from) : room
      const sign = down ? 1n : -1n
      await mostSteps(most, (steps) =>
        search.acceptsInput(
          input.with(first, withValue(from, a - sign * steps)).with(second, withValue(to, b + sign * steps)),
        ),
      )
    }
  }
}
