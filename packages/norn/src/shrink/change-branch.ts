/**
 * Pass: takes an earlier alternative where the first choice of a span selects one.
 *
 * The other choices of the span belong to the alternative that is left, and mean little to the new
 * one: an integer has no use for the length of a string. So they are drawn again: the simplest
 * values, the largest, and a few fixed pseudo-random ones. Thus failures with one cause shrink to
 * one minimum.
 */

import { type Choice, isSimplest, ofRank } from '../contract/choice.ts'
import { chance } from '../tape/chance.ts'
import type { Shrinker } from './shrinker.ts'
import { rankOf } from './simplicity.ts'
import { replaced, type SpanNode } from './span-tree.ts'

/** Alternatives tried, the simplest first. A wider choice counts as a number, not a selector. */
const MAX_ALTERNATIVES = 4
const MAX_WIDTH = 64n
/** Numbers of choices for the rest of the span, beside the number there was. */
const LENGTHS = [1, 8]
const RANDOM_FILLINGS = 3

/** Outside of any range: a draw clamps it to its own bound. */
const LARGEST = Number.MAX_SAFE_INTEGER

export async function changeBranch(shrinker: Shrinker): Promise<void> {
  for (let index = 0; index < shrinker.spans.length && !shrinker.exhausted; index++) {
    const span = shrinker.spans[index]!
    const selector = shrinker.choices.input[span.start]!
    const isSelector = !span.children.some(({ start }) => start === span.start)
    if (!isSelector || isSimplest(selector) || BigInt(selector.max) - BigInt(selector.min) >= MAX_WIDTH) continue
    await enterEarlier(shrinker, span, selector)
  }
}

async function enterEarlier(shrinker: Shrinker, span: SpanNode, selector: Choice): Promise<boolean> {
  const { input } = shrinker.choices
  const own = rankOf(selector)
  for (let rank = 0n; rank < own && rank < MAX_ALTERNATIVES; rank++) {
    const entered = { ...selector, value: ofRank(selector.min, selector.max, rank) }
    for (const rest of fillings(span.end - span.start - 1)) {
      if (await shrinker.acceptsInput(replaced(input, span, [entered, ...rest]))) return true
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
      // Log-uniform: a length has to be small, and a value may have to be large.
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
