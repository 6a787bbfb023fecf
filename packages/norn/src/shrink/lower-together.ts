/**
 * Pass: lowers two input choices by the same number of steps ("lower integers together", after
 * Hypothesis): what has to keep its difference, or its quotient with a step of one, cannot be
 * lowered one by one.
 */
import { isSimplest } from '../contract/choice.ts'
import type { Search } from './search.ts'
import { distance, mostSteps, nearer } from './values.ts'

/** How far apart two choices may stand. */
const REACH = 4

export async function lowerTogether(search: Search): Promise<void> {
  for (let first = 0; first < search.choices.input.length; first++) {
    for (let second = first + 1; second <= first + REACH && !search.exhausted; second++) {
      const { input } = search.choices
      const [a, b] = [input[first], input[second]]
      if (a === undefined || b === undefined || isSimplest(a) || isSimplest(b)) continue
      const least = distance(a) < distance(b) ? distance(a) : distance(b)
      await mostSteps(least, (steps) =>
        search.acceptsInput(input.with(first, nearer(a, steps)).with(second, nearer(b, steps))),
      )
    }
  }
}
