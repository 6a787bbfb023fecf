/** The passes that simplify a whole span in one attempt, after Hypothesis. */
import { isSimplest } from '../contract/choice.ts'
import type { Shrinker } from './shrinker.ts'
import { choicesOf, descendants, replaced } from './span-tree.ts'
import { simplest } from './values.ts'

/**
 * Sets all choices of a span to their simplest values at once, the outermost spans first. Most
 * parts of an input do not matter for a failure; this takes one attempt a part instead of one a
 * choice.
 */
export async function simplifySpans(shrinker: Shrinker): Promise<void> {
  for (let index = 0; index < shrinker.spans.length && !shrinker.exhausted; index++) {
    const span = shrinker.spans[index]!
    const { input } = shrinker.choices
    const choices = choicesOf(input, span)
    // `lowerValues` lowers single choices.
    if (choices.length < 2 || choices.every(isSimplest)) continue
    await shrinker.acceptsInput(replaced(input, span, choices.map(simplest)))
  }
}

/** Descendants tried for one span, the shortest first. */
const MAX_DESCENDANTS = 8

/**
 * Replaces a span by a descendant with the same label ("pass to descendant"): of a tree, the
 * subtree that matters remains.
 */
export async function passToDescendant(shrinker: Shrinker): Promise<void> {
  for (let index = 0; index < shrinker.spans.length && !shrinker.exhausted; index++) {
    while (await descend(shrinker, index));
  }
}

async function descend(shrinker: Shrinker, index: number): Promise<boolean> {
  const span = shrinker.spans[index]
  if (span === undefined) return false
  const { input } = shrinker.choices
  const candidates = [...descendants(span)]
    .filter(({ label, start, end }) => label === span.label && end - start < span.end - span.start)
    .sort((a, b) => a.end - a.start - (b.end - b.start))
  for (const candidate of candidates.slice(0, MAX_DESCENDANTS)) {
    if (await shrinker.acceptsInput(replaced(input, span, choicesOf(input, candidate)))) return true
  }
  return false
}
