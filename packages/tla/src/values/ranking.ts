/**
 * The order of strings and of model values: by text, with a number at the end compared by size.
 * Each has a rank in its arena, so that comparing costs no more than comparing numbers; ranks are
 * renumbered when a text comes in between.
 */
import type { Cell } from './cell.ts'
import type { Interned } from './value.ts'

/** Texts that come after so many have no rank and are compared as such. */
const MOST_RANKED = 2000
const [ZERO, NINE] = [48, 57]

export class Ranking {
  /** In order. */
  readonly #cells: Cell[] = []

  add(cell: Cell): void {
    const cells = this.#cells
    if (cells.length === MOST_RANKED) return
    let [low, high] = [0, cells.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (compareTexts(cell.text, cells[middle]!.text) < 0) high = middle
      else low = middle + 1
    }
    cells.splice(low, 0, cell)
    for (let at = low; at < cells.length; at++) cells[at]!.rank = at
  }
}

/** Of two different strings, or two different model values, of one arena. */
export function compareRanked(left: Interned, right: Interned): number {
  const [one, other] = [left as unknown as Cell, right as unknown as Cell]
  return one.rank >= 0 && other.rank >= 0 ? one.rank - other.rank : compareTexts(one.text, other.text)
}

/**
 * Of two different texts: by what comes before the digits at the end, and then by the number that
 * these are.
 */
function compareTexts(left: string, right: string): number {
  const [until, rightUntil] = [nameLength(left), nameLength(right)]
  // Of one length, numbers have the order of their texts.
  if (until === rightUntil && left.length === right.length) return left < right ? -1 : 1
  if (until === left.length && rightUntil === right.length) return left < right ? -1 : 1
  const [name, rightName] = [left.slice(0, until), right.slice(0, rightUntil)]
  if (name !== rightName) return name < rightName ? -1 : 1
  // Without digits, a text is shorter than the others of its name. Numbers without leading zeros
  // have an order by length.
  const [number, rightNumber] = [withoutZeros(left, until), withoutZeros(right, until)]
  if (left.length > until && right.length > until && number !== rightNumber) {
    if (number.length !== rightNumber.length) return number.length - rightNumber.length
    return number < rightNumber ? -1 : 1
  }
  return left.length - right.length
}

function withoutZeros(text: string, from: number): string {
  let start = from
  while (start < text.length - 1 && text.charCodeAt(start) === ZERO) start++
  return text.slice(start)
}

/** The length of a text without the digits at its end. */
function nameLength(text: string): number {
  let until = text.length
  while (until > 0) {
    const character = text.charCodeAt(until - 1)
    if (character < ZERO || character > NINE) break
    until--
  }
  return until
}
