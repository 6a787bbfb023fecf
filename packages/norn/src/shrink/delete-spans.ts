/**
 * Pass: deletes runs of sibling spans, all of them, then halves, and so on to single ones, and
 * lowers their count with them.
 *
 * What is deleted without its count would be drawn again from what follows. Which choice is the
 * count no record says: it is looked for before the run, in the spans around it from the inside
 * out, the nearest first: the length that an array draws itself, or that a chain drew for it. Where
 * there is none (the vain tries of a filter) the run goes alone.
 */
import type { Choice } from '../contract/choice.ts'
import type { Search } from './search.ts'
import { replaced, type SpanNode, siblings } from './span-tree.ts'
import { distance, nearer } from './values.ts'

/** Choices that are tried as the count of one run. */
const MAX_COUNTS = 6

export async function deleteSpans(search: Search): Promise<void> {
  for (let group = 0; ; group++) {
    const members = () => siblings(search.spans)[group]?.members
    const count = members()?.length
    if (count === undefined) return
    for (let size = count; size >= 1; size = Math.floor(size / 2)) {
      for (let end = members()?.length ?? 0; end > 0; end -= size) {
        const run = members()?.slice(Math.max(0, end - size), end) ?? []
        if (run.length > 0) await deleteRun(search, run)
        if (search.exhausted) return
      }
    }
  }
}

async function deleteRun(search: Search, run: readonly SpanNode[]): Promise<boolean> {
  for (const input of withoutRun(search, run)) if (await search.acceptsInput(input)) return true
  return false
}

/**
 * The inputs that are left without a run of siblings: with each choice lowered that may be their
 * count, then as it is.
 */
export function* withoutRun(search: Search, run: readonly SpanNode[]): Generator<readonly Choice[]> {
  const { input } = search.choices
  const whole = { start: run[0]!.start, end: run.at(-1)!.end }
  // Siblings of other labels may stand between.
  const dropped = new Set(
    run.flatMap(({ start, end }) => Array.from({ length: end - start }, (_, index) => start + index)),
  )
  const isRun = dropped.size === whole.end - whole.start
  const without = (choices: readonly Choice[]) =>
    isRun ? replaced(choices, whole, []) : choices.filter((_, index) => !dropped.has(index))
  for (const count of countsOf(search, run[0]!, BigInt(run.length))) {
    const lowered = input.map((choice, index) => (index === count ? nearer(choice, BigInt(run.length)) : choice))
    yield without(lowered)
  }
  yield without(input)
}

/**
 * Indices of the choices that may count a span and its siblings, if they are that large; the
 * likeliest first.
 */
function countsOf(search: Search, first: SpanNode, atLeast: bigint): number[] {
  const { input } = search.choices
  const counts: number[] = []
  for (let node: SpanNode | undefined = first; node !== undefined; node = node.parent) {
    const { parent, label, start } = node
    const beside = parent?.children ?? search.spans.filter((span) => span.parent === undefined)
    const items = beside.filter((span) => span.label === label)
    for (let index = start - 1; index >= (parent?.start ?? 0); index--) {
      if (items.some((item) => item.start <= index && index < item.end)) continue
      if (distance(input[index]!) >= atLeast) counts.push(index)
      if (counts.length >= MAX_COUNTS) return counts
    }
  }
  return counts
}
