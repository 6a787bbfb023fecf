/**
 * The passes that put parts in the order of the simplest input, so that equal failures look equal.
 */
import type { Choice } from '../contract/choice.ts'
import type { Shrinker } from './shrinker.ts'
import { compareInputs, rankOf } from './simplicity.ts'
import { choicesOf, siblings } from './span-tree.ts'

/** The largest distance between two siblings, or two values, that are exchanged. */
const REACH = 8

/**
 * Sorts siblings with the same label: all of them at once, then pair by pair.
 */
export async function sortSpans(shrinker: Shrinker): Promise<void> {
  for (let group = 0; !shrinker.exhausted; group++) {
    const now = () => siblings(shrinker.spans)[group]?.members
    const members = now()
    if (members === undefined) return
    // `sortValues` sorts single choices.
    if (members.length < 2 || members.every(({ start, end }) => end - start === 1)) continue
    const { input } = shrinker.choices
    const parts = members.map((member) => choicesOf(input, member))
    await shrinker.acceptsInput(arranged(input, members, parts.toSorted(precedence)))
    for (let first = 0; first < members.length && !shrinker.exhausted; first++) {
      for (let second = first + 1; second <= first + REACH; second++) await exchange(shrinker, now(), first, second)
    }
  }
}

type Place = { readonly start: number; readonly end: number }

async function exchange(
  shrinker: Shrinker,
  members: readonly Place[] = [],
  first: number,
  second: number,
): Promise<void> {
  const [a, b] = [members[first], members[second]]
  if (a === undefined || b === undefined) return
  const { input } = shrinker.choices
  const [simple, other] = [choicesOf(input, b), choicesOf(input, a)]
  if (precedence(simple, other) < 0) await shrinker.acceptsInput(arranged(input, [a, b], [simple, other]))
}

/** Negative if `a` before `b` makes a simpler input than `b` before `a`. */
function precedence(a: readonly Choice[], b: readonly Choice[]): number {
  return compareInputs([...a, ...b], [...b, ...a])
}

/** The input with `parts` in the positions of `places`, in order. */
function arranged(input: readonly Choice[], places: readonly Place[], parts: readonly Choice[][]): Choice[] {
  const result: Choice[] = []
  let done = 0
  for (const [index, { start, end }] of places.entries()) {
    result.push(...input.slice(done, start), ...parts[index]!)
    done = end
  }
  return [...result, ...input.slice(done)]
}

/**
 * Moves smaller values before larger ones with the same range.
 */
export async function sortValues(shrinker: Shrinker): Promise<void> {
  for (let first = 0; !shrinker.exhausted && first < shrinker.choices.input.length; first++) {
    for (let second = first + 1; second <= first + REACH; second++) {
      const { input } = shrinker.choices
      const [a, b] = [input[first], input[second]]
      if (a === undefined || b === undefined) break
      if (a.min !== b.min || a.max !== b.max || rankOf(a) <= rankOf(b)) continue
      const swapped = input.map((choice) =>
        choice === a ? { ...a, value: b.value } : choice === b ? { ...b, value: a.value } : choice,
      )
      await shrinker.acceptsInput(swapped)
    }
  }
}
