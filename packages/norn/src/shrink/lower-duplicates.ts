/**
 * Pass: lowers all input choices of one value together ("minimise duplicated", after Hypothesis):
 * what has to be equal cannot be lowered one by one.
 */
import { isSimplest } from '../contract/choice.ts'
import type { Search } from './search.ts'
import { distance, mostSteps, nearer } from './values.ts'

export async function lowerDuplicates(search: Search): Promise<void> {
  const groups = new Map<number | bigint, number[]>()
  for (const [index, choice] of search.choices.input.entries()) {
    if (isSimplest(choice)) continue
    const alike = groups.get(choice.value)
    if (alike === undefined) groups.set(choice.value, [index])
    else alike.push(index)
  }
  for (const members of groups.values()) {
    if (members.length < 2) continue
    if (search.exhausted) return
    const indices = new Set(members)
    const { input } = search.choices
    const distances = input.filter((_, index) => indices.has(index)).map(distance)
    const least = distances.reduce((a, b) => (a < b ? a : b), distances[0] ?? 0n)
    await mostSteps(least, (steps) =>
      search.acceptsInput(input.map((choice, index) => (indices.has(index) ? nearer(choice, steps) : choice))),
    )
  }
}
