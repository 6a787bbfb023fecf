/**
 * Which rows of an interleaving are folded: of rows that repeat, all but the first; of a long one what
 * stands apart from its beginning and end, delays and faults, what differs from the nearest passing
 * execution, and messages that arrive.
 */
import { cut, plural } from '../../contract/text.ts'
import { cellsOf, columnsOf } from './columns.ts'
import type { Diagram, Fold, Row } from './diagram.ts'
import { type Repetition, repetitionsOf } from './repetitions.ts'
import { milliseconds } from './units.ts'

/** Steps shown at the beginning and the end, and on both sides of a delayed one. */
const AROUND = 3
const AT_START = 4
const AT_END = 10
const MAX_WHOLE = 40
/** Steps that differ from a passing execution, and messages, that are shown beside those. */
const MAX_DIFFERING = 40
const MAX_MESSAGES = 24
/** Of messages that look the same, those shown among them. */
const MAX_ALIKE = 3
/** Characters of a text by which rows look alike. */
const MAX_TEXT = 64

/** The number of a message. */
const NUMBER = /^#\d+ /

export function foldsOf(diagram: Diagram): Fold[] {
  const { rows } = diagram
  const columns = columnsOf(diagram, rows)
  const looks = rows.map((row, index) => {
    const { difference, text, source, arrow, mark } = row
    // Messages and targets of the rounds of a loop differ by numbers.
    const said =
      mark === 'note' || (diagram.columns === 'isolates' && arrow !== undefined) ? text.replaceAll(/\d+/g, '0') : text
    return [
      difference === 'moved' ? '' : difference,
      ...cellsOf(columns, index, row),
      cut(said, MAX_TEXT),
      source,
    ].join(' ')
  })
  const repetitions = new Map(repetitionsOf(rows, looks).map((each) => [each.first + each.length - 1, each]))
  const indices: number[] = []
  for (let at = 0; at < rows.length; at = (repetitions.get(at)?.last ?? at) + 1) indices.push(at)
  const isShown = shownOf(
    indices.map((index) => rows[index]!),
    indices.map((index) => looks[index]!),
  )
  const folds: Fold[] = []
  let hidden: { readonly first: number; readonly steps: number } | undefined
  for (const [at, index] of indices.entries()) {
    const repetition = repetitions.get(index)
    const last = repetition?.last ?? index
    if (!isShown[at]) {
      if (hidden !== undefined && hidden.steps > 1) folds.pop()
      hidden = { first: hidden?.first ?? index, steps: (hidden?.steps ?? 0) + last - index + 1 }
      // A single row takes as much room as the line that says so.
      if (hidden.steps > 1)
        folds.push({ first: hidden.first, last, text: `… ${plural(hidden.steps, 'step')} left out` })
      continue
    }
    hidden = undefined
    if (repetition !== undefined) folds.push({ first: index + 1, last, text: repeatedText(repetition, rows) })
  }
  return folds
}

function repeatedText({ first, length, times, last }: Repetition, rows: readonly Row[]): string {
  const { atUs } = rows[last]!
  const words = (at: number) => rows[at]!.text.replace(NUMBER, '')
  const isSame = rows
    .slice(first + length, last + 1)
    .every((_, index) => words(first + length + index) === words(first + index))
  const what =
    length === 1
      ? isSame
        ? 'the same'
        : 'one like this'
      : isSame
        ? `these ${length} lines`
        : `${length} lines like these`
  return `… ${what} ${plural(times - 1, 'more time')}${atUs === undefined ? '' : `, until ${milliseconds(atUs)} ms`}`
}

function shownOf(rows: readonly Row[], looks: readonly string[]): boolean[] {
  if (rows.length <= MAX_WHOLE) return rows.map(() => true)
  let differing = 0
  let messages = 0
  const alike = new Map<string, number>()
  const isNew = (look: string) => {
    const count = (alike.get(look) ?? 0) + 1
    alike.set(look, count)
    return count <= MAX_ALIKE
  }
  return rows.map(
    ({ difference, arrow }, index) =>
      index < AT_START ||
      index >= rows.length - AT_END ||
      rows.slice(Math.max(0, index - AROUND), index + AROUND + 1).some(isNotable) ||
      (difference !== undefined && differing++ < MAX_DIFFERING) ||
      (arrow !== undefined && isNew(looks[index]!) && messages++ < MAX_MESSAGES),
  )
}

/** Whether it and its surroundings are shown however long the diagram is. */
function isNotable({ delayUs, mark, difference }: Row): boolean {
  return delayUs !== undefined || mark === 'submit' || mark === 'fault' || difference === 'parting'
}
