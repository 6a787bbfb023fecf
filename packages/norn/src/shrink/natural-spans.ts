/**
 * Pass: makes all choices of a span natural at once, the outermost spans first.
 *
 * Most parts of an input do not matter for a failure; one try for each says so, where value by
 * value takes one for each of its choices. What has become natural is not looked into any more.
 */
import { isSimplest } from '../contract/choice.ts'
import type { Search } from './search.ts'
import { choicesOf, replaced } from './span-tree.ts'
import { natural } from './values.ts'

export async function makeSpansNatural(search: Search): Promise<void> {
  for (let index = 0; index < search.spans.length && !search.exhausted; index++) {
    const span = search.spans[index]!
    const { input } = search.choices
    const choices = choicesOf(input, span)
    // A single choice is left to the pass that lowers values.
    if (choices.length < 2 || choices.every(isSimplest)) continue
    await search.acceptsInput(replaced(input, span, choices.map(natural)))
  }
}
