/**
 * The dictionary: which choices generate which string or number. It learns this from the values
 * generated, as the mapping of a generator is not visible (the characters of a string are drawn as
 * indices into an alphabet).
 *
 * Mutators use it to write one operand of a comparison where the other came from: the whole value
 * if it was generated before, or else a character at a time. Redqueen does this with bytes
 * (input-to-state replacement, Aschermann et al., NDSS 2019).
 *
 * Invariant: it holds the first MAX_WORDS words.
 */
import type { Choice } from '../contract/choice.ts'
import type { Product } from '../contract/choices.ts'

export type Word = string | number | bigint

const MAX_WORDS = 8192
/** Longest run of choices of a word. */
const MAX_CHOICES = 16

export class Dictionary {
  readonly #words = new Map<string, readonly Choice[]>()

  get isFull(): boolean {
    return this.#words.size >= MAX_WORDS
  }

  /** Adds what generators made of the choices of an execution. */
  learn(input: readonly Choice[], products: readonly Product[]): void {
    for (const { start, end, value } of products) {
      if (end - start > MAX_CHOICES || this.isFull) continue
      const choices = input.slice(start, end)
      const key = keyOf(choices, value)
      if (!this.#words.has(key)) this.#words.set(key, choices)
    }
  }

  /** Choices with the same ranges as those of `inPlaceOf` that generate a value, if known. */
  spell(value: Word, inPlaceOf: readonly Choice[]): readonly Choice[] | undefined {
    return this.#words.get(keyOf(inPlaceOf, value))
  }
}

function keyOf(choices: readonly Choice[], value: Word): string {
  return `${choices.map(({ min, max }) => `${min}..${max}`).join()} ${typeof value} ${value}`
}
