/**
 * The dictionary: which choices make which text or number. Generators map draws to values in ways
 * that cannot be seen from outside (the characters of a text are drawn as places in an alphabet),
 * so it is learnt from what they made.
 *
 * With it the operand of a comparison can be written where the other operand came from, as AFL++'s
 * input-to-state replacement (Redqueen, Aschermann et al., NDSS 2019) does with bytes: as a whole
 * where such a value was made before, and else a character at a time.
 *
 * Invariant: at most MAX_WORDS are known, the first that were made.
 */
import type { Choice } from '../contract/choice.ts'
import type { Product } from '../contract/choices.ts'

export type Word = string | number | bigint

const MAX_WORDS = 8192
/** Longest run of choices of a word. */
const MAX_CHOICES = 16

export class Dictionary {
  readonly #words = new Map<string, readonly Choice[]>()

  /** Whether anything more would be learnt. */
  get isFull(): boolean {
    return this.#words.size >= MAX_WORDS
  }

  /** Learns what generators made of the choices of an execution. */
  learn(input: readonly Choice[], products: readonly Product[]): void {
    for (const { start, end, value } of products) {
      if (end - start > MAX_CHOICES || this.isFull) continue
      const choices = input.slice(start, end)
      const key = keyOf(choices, value)
      if (!this.#words.has(key)) this.#words.set(key, choices)
    }
  }

  /**
   * Choices that make a value where others, of the same ranges, stand now; undefined if none are
   * known.
   */
  spell(value: Word, inPlaceOf: readonly Choice[]): readonly Choice[] | undefined {
    return this.#words.get(keyOf(inPlaceOf, value))
  }
}

function keyOf(choices: readonly Choice[], value: Word): string {
  return `${choices.map(({ min, max }) => `${min}..${max}`).join()} ${typeof value} ${value}`
}
