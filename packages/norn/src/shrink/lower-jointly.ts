/**
 * The passes that change several input choices at once, after Hypothesis: for relations between
 * values that no change of a single value keeps.
 */
import { isSimplest } from '../contract/choice.ts'
import type { Shrinker } from './shrinker.ts'
import { distance, mostSteps, nearer, withValue } from './values.ts'

/**
 * Lowers all input choices with the same value together ("minimise duplicated"), for values that
 * have to be equal.
 */
export async function lowerDuplicates(shrinker: Shrinker): Promise<void> {
  const groups = new Map<number | bigint, number[]>()
  for (const [index, choice] of shrinker.choices.input.entries()) {
    if (isSimplest(choice)) continue
    const alike = groups.get(choice.value)
    if (alike === undefined) groups.set(choice.value, [index])
    else alike.push(index)
  }
  for (const members of groups.values()) {
    if (members.length < 2) continue
    if (shrinker.exhausted) return
    const indices = new Set(members)
    const { input } = shrinker.choices
    const distances = input.filter((_, index) => indices.has(index)).map(distance)
    const least = distances.reduce((a, b) => (a < b ? a : b), distances[0] ?? 0n)
    await mostSteps(least, (steps) =>
      shrinker.acceptsInput(input.map((choice, index) => (indices.has(index) ? nearer(choice, steps) : choice))),
    )
  }
}

/** The largest distance between the two choices of `lowerTogether`. */
const TOGETHER_REACH = 4

/**
 * Lowers two input choices by the same number of steps ("lower integers together"), for values
 * whose difference has to stay.
 */
export async function lowerTogether(shrinker: Shrinker): Promise<void> {
  for (let first = 0; !shrinker.exhausted && first < shrinker.choices.input.length; first++) {
    for (let second = first + 1; second <= first + TOGETHER_REACH && !shrinker.exhausted; second++) {
      const { input } = shrinker.choices
      const [a, b] = [input[first], input[second]]
      if (a === undefined || b === undefined || isSimplest(a) || isSimplest(b)) continue
      const least = distance(a) < distance(b) ? distance(a) : distance(b)
      await mostSteps(least, (steps) =>
        shrinker.acceptsInput(input.with(first, nearer(a, steps)).with(second, nearer(b, steps))),
      )
    }
  }
}

/** The largest distance between the two choices of `redistribute`; several rounds reach farther. */
const REDISTRIBUTE_REACH = 8

/**
 * Moves as much as possible from an input choice to a later one ("redistribute numeric pairs"), for
 * values whose sum has to stay. A choice lowered to its simplest value may then be deleted, so a
 * sum keeps as few terms as can make it.
 */
export async function redistribute(shrinker: Shrinker): Promise<void> {
  for (let first = 0; !shrinker.exhausted && first < shrinker.choices.input.length; first++) {
    for (let second = first + 1; second <= first + REDISTRIBUTE_REACH && !shrinker.exhausted; second++) {
      const { input } = shrinker.choices
      const [from, to] = [input[first], input[second]]
      if (from === undefined || to === undefined) break
      if (isSimplest(from) || typeof from.value !== typeof to.value || to.min === to.max) continue
      const [a, b] = [BigInt(from.value), BigInt(to.value)]
      const down = withValue(from, 0n).value < from.value
      const room = down ? BigInt(to.max) - b : b - BigInt(to.min)
      const most = distance(from) < room ? distance(from) : room
      const sign = down ? 1n : -1n
      await mostSteps(most, (steps) =>
        shrinker.acceptsInput(
          input.with(first, withValue(from, a - sign * steps)).with(second, withValue(to, b + sign * steps)),
        ),
      )
    }
  }
}
