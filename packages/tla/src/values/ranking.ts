/**
 * The order of strings and of model values: by text, with a final number compared by size. Each has
 * a rank in its arena, so that comparison is a subtraction; an insertion renumbers the ranks.
 */
import type { Cell } from './cell.ts'
import type { Interned } from './value.ts'

/** Further texts have no rank, and are compared directly. */
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

/** Compares two different strings, or two different model values, of one arena. */
export function compareRanked(left: Interned, right: Interned): number {
  const [one, other] = [left as unknown as Cell, right as unknown as Cell]
  return one.rank >= 0 && other.rank >= 0 ? one.rank - other.rank : compareTexts(one.text, other.text)
}

/** Compares two different texts by the part before the final digits, then by their number. */
function compareTexts(left: string, right: string): number {
  const [until, rightUntil] = [nameLength(left), nameLength(right)]
  // Numbers with equally many digits are ordered as their texts.
  if (until === rightUntil && left.length === right.length) return left < right ? -1 : 1
  if (until === left.length && rightUntil === right.length) return left < right ? -1 : 1
  const [name, rightName] = [left.slice(0, until), right.slice(0, rightUntil)]
  if (name !== rightName) return name < rightName ? -1 : 1
  // A text without digits is shorter than others of its name. Without leading zeros, the longer
  // number is larger.
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

/** The length of a text without its final digits. */
function nameLength(text: string): number {
  let until = text.length
  while (until > 0) {
    const character = text.charCodeAt(until - 1)
    if (character < ZERO || character > NINE) break
    until--
  }
  return until
}
