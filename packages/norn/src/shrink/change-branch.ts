/**
 * Pass: takes an earlier alternative where a span begins by choosing one.
 *
 * What follows belonged to the alternative that was left, and says little of the one that is
 * entered: an integer has no use for the length of a text. So the rest of the span is drawn anew:
 * natural, as large as it goes, and by a few fixed pseudo-random values. That is how failures of
 * one cause come to one minimum, whichever way they were found.
 */

import { type Choice, isSimplest, ofRank } from '../contract/choice.ts'
import { chance } from '../tape/chance.ts'
import type { Search } from './search.ts'
import { rankOf } from './simplicity.ts'
import { replaced, type SpanNode } from './span-tree.ts'

/**
 * Earlier alternatives that are tried, the simplest first; a choice among more is taken for a
 * number.
 */
const MAX_ALTERNATIVES = 4
const MAX_WIDTH = 64n
/** How many choices stand for the rest, beside as many as there were. */
const LENGTHS = [1, 8]
const RANDOM_FILLINGS = 3

/** Larger than any range: whoever draws it gets the bound of its own. */
const LARGEST = Number.MAX_SAFE_INTEGER

export async function changeBranch(search: Search): Promise<void> {
  for (let index = 0; index < search.spans.length && !search.exhausted; index++) {
    const span = search.spans[index]!
    const selector = search.choices.input[span.start]!
    const isSelector = !span.children.some(({ start }) => start === span.start)
    if (!isSelector || isSimplest(selector) || BigInt(selector.max) - BigInt(selector.min) >= MAX_WIDTH) continue
    await enterEarlier(search, span, selector)
  }
}

async function enterEarlier(search: Search, span: SpanNode, selector: Choice): Promise<boolean> {
  const { input } = search.choices
  const own = rankOf(selector)
  for (let rank = 0n; rank < own && rank < MAX_ALTERNATIVES; rank++) {
    const entered = { ...selector, value: ofRank(selector.min, selector.max, rank) }
    for (const rest of fillings(span.end - span.start - 1)) {
      if (await search.acceptsInput(replaced(input, span, [entered, ...rest]))) return true
    }
  }
  return false
}

function* fillings(length: number): Generator<Choice[]> {
  yield []
  const draws = chance(0x6272616e)
  for (const count of new Set([length, ...LENGTHS])) {
    if (count === 0) continue
    yield filling(count, () => LARGEST)
    for (let round = 0; round < RANDOM_FILLINGS; round++) {
      // All magnitudes alike: a length has to be small and a value may have to be large.
      yield filling(count, () => Math.floor(2 ** (draws.unit() * 16)) - 1)
    }
  }
}

function filling(count: number, value: () => number): Choice[] {
  return Array.from({ length: count }, () => ({
    kind: 'value',
    label: '',
    min: -LARGEST,
    max: LARGEST,
    value: value(),
  }))
}
