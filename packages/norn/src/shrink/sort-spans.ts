/**
 * Pass: puts siblings of one label in the order that makes the simplest input, so that equal
 * failures look equal. First all in order at once, then two by two.
 */
import type { Choice } from '../contract/choice.ts'
import type { Search } from './search.ts'
import { compareInputs } from './simplicity.ts'
import { choicesOf, siblings } from './span-tree.ts'

/** How far apart two siblings may stand that change places. */
const REACH = 8

export async function sortSpans(search: Search): Promise<void> {
  for (let group = 0; !search.exhausted; group++) {
    const now = () => siblings(search.spans)[group]?.members
    const members = now()
    if (members === undefined) return
    // Single choices are left to the pass that sorts values.
    if (members.length < 2 || members.every(({ start, end }) => end - start === 1)) continue
    const { input } = search.choices
    const parts = members.map((member) => choicesOf(input, member))
    await search.acceptsInput(arranged(input, members, parts.toSorted(precedence)))
    for (let first = 0; first < members.length; first++) {
      for (let second = first + 1; second <= first + REACH; second++) await exchange(search, now(), first, second)
    }
  }
}

type Place = { readonly start: number; readonly end: number }

async function exchange(search: Search, members: readonly Place[] = [], first: number, second: number): Promise<void> {
  const [a, b] = [members[first], members[second]]
  if (a === undefined || b === undefined) return
  const { input } = search.choices
  const [simple, other] = [choicesOf(input, b), choicesOf(input, a)]
  if (precedence(simple, other) < 0) await search.acceptsInput(arranged(input, [a, b], [simple, other]))
}

/** Negative if `a` before `b` makes a simpler input than `b` before `a`. */
function precedence(a: readonly Choice[], b: readonly Choice[]): number {
  return compareInputs([...a, ...b], [...b, ...a])
}

/** An input in which parts stand in the places of spans, in their order. */
function arranged(input: readonly Choice[], places: readonly Place[], parts: readonly Choice[][]): Choice[] {
  const result: Choice[] = []
  let done = 0
  for (const [index, { start, end }] of places.entries()) {
    result.push(...input.slice(done, start), ...parts[index]!)
    done = end
  }
  return [...result, ...input.slice(done)]
}
