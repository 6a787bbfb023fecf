/** Mutators of the input lane on typed choices and spans, after AFL's havoc and Hypothesis. */

import { type Choice, clamp, simplestValue } from '../contract/choice.ts'
import type { Span, TapeRecord } from '../contract/choices.ts'
import type { Operand } from '../contract/observation.ts'
import { proposeInput } from '../tape/bias.ts'
import type { Chance } from '../tape/chance.ts'
import type { Word } from './dictionary.ts'
import type { Draft, Material, Mutator } from './mutation.ts'

/** The largest distance from a count to the first choice of what it counts. */
const COUNT_REACH = 2
/** The longest span that is spliced, in choices. */
const MAX_SPAN = 256
/** Choices to which duplication may extend an input. */
const MAX_INPUT = 8192

/** Redraws a value, with a bias towards edges. */
const redraw = atOne('redraw', (choice, { chance }) => proposeInput(chance, choice.min, choice.max))

/** Adds or subtracts 1 or another power of two. */
const step = atOne('step', ({ min, max, value }, { chance }) => {
  const bits = (BigInt(max) - BigInt(min)).toString(2).length - 1
  // Small steps are as likely as large ones.
  const by = chance.coin(0.3) ? 1n : 1n << BigInt(chance.integer(0, Math.max(0, bits)))
  const moved = BigInt(value) + (chance.coin(0.5) ? by : -by)
  return typeof value === 'bigint' ? moved : Number(clamp(moved, BigInt(min), BigInt(max)))
})

/** Sets a choice to its simplest value. */
const simplify = atOne('simplify', ({ min, max }) => simplestValue(min, max))

/** Copies the value of another choice with the same range. */
const copyValue: Mutator = {
  name: 'copy value',
  lane: 'input',
  mutate(draft, { chance, index }) {
    const at = index('input', draft.input.length)
    const { min, max, value } = draft.input[at]!
    const alike = draft.input.filter((other) => other.min === min && other.max === max && other.value !== value)
    if (alike.length === 0) return undefined
    draft.input[at] = { ...draft.input[at]!, value: alike[chance.integer(0, alike.length - 1)]!.value }
    return at
  },
}

/** Writes an operand of a comparison to a choice with the value of the other operand, or to any. */
const writeOperand: Mutator = {
  name: 'write operand',
  lane: 'input',
  mutate(draft, { chance, operands, index }) {
    if (operands.length === 0) return undefined
    const pair = operands[chance.integer(0, operands.length - 1)]!
    const [from, to] = chance.coin(0.5) ? [pair.left, pair.right] : [pair.right, pair.left]
    const [found, wanted] = [numberOf(from), numberOf(to)]
    if (wanted === undefined) return undefined
    const off = BigInt(chance.coin(0.25) ? chance.integer(-1, 1) : 0)
    const holds = (choice: Choice) => found !== undefined && BigInt(choice.value) === found
    const fits = ({ min, max }: Choice) => wanted + off >= BigInt(min) && wanted + off <= BigInt(max)
    const places = draft.input.flatMap((choice, at) => (holds(choice) && fits(choice) ? [at] : []))
    const at = places.length > 0 ? places[chance.integer(0, places.length - 1)]! : index('input', draft.input.length)
    const choice = draft.input[at]!
    if (!fits(choice)) return undefined
    return write(draft, at, typeof choice.value === 'bigint' ? wanted + off : Number(wanted + off))
  },
}

/**
 * Writes an operand where a generator made the other one: all of it, or the first differing
 * character.
 */
const spell: Mutator = {
  name: 'spell',
  lane: 'input',
  mutate(draft, { chance, operands, products, dictionary }) {
    if (operands.length === 0 || products.length === 0) return undefined
    const pair = operands[chance.integer(0, operands.length - 1)]!
    const [have, want] = chance.coin(0.5) ? [pair.left, pair.right] : [pair.right, pair.left]
    if (!isWord(have) || !isWord(want)) return undefined
    const [part, wanted] = chance.coin(0.25) ? [have, want] : firstDifference(have, want)
    const places = products.filter(({ value, end }) => end <= draft.input.length && isAlike(value, part))
    if (places.length === 0) return undefined
    const { start, end } = places[chance.integer(0, places.length - 1)]!
    const inPlaceOf = draft.input.slice(start, end)
    for (const word of formsOf(wanted, chance)) {
      const spelt = dictionary.spell(word, inPlaceOf)
      if (spelt === undefined || haveSameValues(spelt, inPlaceOf)) continue
      draft.input.splice(start, end - start, ...spelt)
      return start
    }
    return undefined
  },
}

/** Replaces a span by another with the same label, from this record or another. */
const splice: Mutator = {
  name: 'splice',
  lane: 'input',
  mutate(draft, { chance, other }) {
    const own = chance.coin(0.5)
    const to = pickSpan(draft.spans, chance)
    if (to === undefined) return undefined
    const source: Pick<TapeRecord, 'input' | 'spans'> = own ? draft : other
    const alike = source.spans.filter((span) => isSource(span, to) && !(own && span.start === to.start))
    const from = alike[chance.integer(0, Math.max(0, alike.length - 1))]
    if (from === undefined) return undefined
    const inside = source.input.slice(from.start, from.end)
    return haveSameValues(inside, draft.input.slice(to.start, to.end)) ? undefined : replaceSpan(draft, to, inside)
  },
}

/** Deletes a span, and mostly lowers a choice that may be its count. */
const deleteSpan: Mutator = {
  name: 'delete span',
  lane: 'input',
  mutate(draft, { chance }) {
    const span = pickSpan(draft.spans, chance)
    if (span === undefined) return undefined
    const count = chance.coin(0.75) ? moveCount(draft, span, -1, chance) : undefined
    const at = replaceSpan(draft, span, [])
    return count ?? at
  },
}

/** Duplicates a span, and mostly raises a choice that may be its count. */
const duplicateSpan: Mutator = {
  name: 'duplicate span',
  lane: 'input',
  mutate(draft, { chance }) {
    const span = pickSpan(draft.spans, chance)
    if (span === undefined || draft.input.length + span.end - span.start > MAX_INPUT) return undefined
    const count = chance.coin(0.75) ? moveCount(draft, span, 1, chance) : undefined
    const inside = draft.input.slice(span.start, span.end)
    const at = replaceSpan(draft, span, [...inside, ...inside])
    return count ?? at
  },
}

/** Redraws all choices from an index on. */
const redrawTail: Mutator = {
  name: 'redraw tail',
  lane: 'input',
  mutate(draft, { index }) {
    const at = index('input', draft.input.length)
    draft.input.length = at
    draft.spans = []
    return at
  },
}

export const INPUT_MUTATORS: readonly Mutator[] = [
  redraw,
  step,
  simplify,
  copyValue,
  writeOperand,
  spell,
  splice,
  deleteSpan,
  duplicateSpan,
  redrawTail,
]

/** A mutator that changes the value of one choice, clamped to its range. */
function atOne(name: string, value: (choice: Choice, material: Material) => number | bigint): Mutator {
  return {
    name,
    lane: 'input',
    mutate(draft, material) {
      const at = material.index('input', draft.input.length)
      const choice = draft.input[at]!
      return write(draft, at, clamp(value(choice, material), choice.min, choice.max))
    },
  }
}

/** @returns the index, or undefined if the choice has the value already */
function write(draft: Draft, at: number, value: number | bigint): number | undefined {
  const choice = draft.input[at]!
  if (value === choice.value) return undefined
  draft.input[at] = { ...choice, value }
  return at
}

function haveSameValues(some: readonly Choice[], others: readonly Choice[]): boolean {
  return some.length === others.length && some.every(({ value }, at) => value === others[at]!.value)
}

function numberOf(operand: Operand): bigint | undefined {
  if (typeof operand === 'bigint') return operand
  if (typeof operand === 'number' && Number.isSafeInteger(operand)) return BigInt(operand)
  if (typeof operand === 'boolean') return operand ? 1n : 0n
  if (typeof operand === 'string' && /^-?\d{1,15}$/.test(operand)) return BigInt(operand)
  // A single character may have been drawn as its code.
  if (typeof operand === 'string' && operand.length === 1) return BigInt(operand.charCodeAt(0))
  return undefined
}

function isWord(operand: Operand): operand is Word {
  return typeof operand === 'string' || typeof operand === 'number' || typeof operand === 'bigint'
}

/** The first characters in which two strings differ; of other values, the whole. */
function firstDifference(have: Word, want: Word): [Word, Word] {
  if (typeof have !== 'string' || typeof want !== 'string') return [have, want]
  for (let at = 0; at < Math.min(have.length, want.length); at++) {
    if (have[at] !== want[at]) return [have[at]!, want[at]!]
  }
  return [have, want]
}

/** Ignores case, as programs convert it before they compare. */
function isAlike(value: Word, part: Word): boolean {
  return (
    value === part ||
    (typeof value === 'string' && typeof part === 'string' && value.toLowerCase() === part.toLowerCase())
  )
}

function formsOf(word: Word, chance: Chance): readonly Word[] {
  if (typeof word !== 'string') return [word]
  const forms = [word, word.toLowerCase(), word.toUpperCase()]
  return chance.coin(0.5) ? forms : forms.reverse()
}

function pickSpan(spans: readonly Span[], chance: Chance): Span | undefined {
  return spans.length === 0 ? undefined : spans[chance.integer(0, spans.length - 1)]
}

function isSource(span: Span, to: Span): boolean {
  return span.lane === 'input' && span.label === to.label && span.end - span.start <= MAX_SPAN
}

function replaceSpan(draft: Draft, { start, end }: Span, by: readonly Choice[]): number {
  const moved = by.length - (end - start)
  draft.input.splice(start, end - start, ...by)
  if (moved !== 0) draft.spans = []
  return Math.max(0, Math.min(start, draft.input.length - 1))
}

/** Changes a choice that may be the count of a span; returns its index if it changed. */
function moveCount(draft: Draft, { start }: Span, by: number, chance: Chance): number | undefined {
  const at = start - chance.integer(1, COUNT_REACH)
  const count = draft.input[at]
  if (count === undefined || typeof count.value !== 'number') return undefined
  return write(draft, at, clamp(count.value + by, count.min as number, count.max as number))
}
