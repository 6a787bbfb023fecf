/**
 * Pass: puts a descendant of the same label in the place of a span ("pass to descendant", after
 * Hypothesis): of a tree whose branch does not matter a subtree remains.
 */
import type { Search } from './search.ts'
import { choicesOf, descendants, replaced } from './span-tree.ts'

/** Descendants that are tried for one span, the shortest first. */
const MAX_DESCENDANTS = 8

export async function passToDescendant(search: Search): Promise<void> {
  for (let index = 0; index < search.spans.length && !search.exhausted; index++) {
    while (await descend(search, index));
  }
}

async function descend(search: Search, index: number): Promise<boolean> {
  const span = search.spans[index]
  if (span === undefined) return false
  const { input } = search.choices
  const candidates = [...descendants(span)]
    .filter(({ label, start, end }) => label === span.label && end - start < span.end - span.start)
    .sort((a, b) => a.end - a.start - (b.end - b.start))
  for (const candidate of candidates.slice(0, MAX_DESCENDANTS)) {
    if (await search.acceptsInput(replaced(input, span, choicesOf(input, candidate)))) return true
  }
  return false
}
