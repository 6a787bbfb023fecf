/**
 * An interleaving as a small diagram: one line a step, one column a causal chain (a task, as a
 * rule), the source line that started the step, and a mark on what was delayed.
 *
 *         ms  A B
 *       5.00  │ ●  open work.lock → EEXIST                         lockfile.js:156
 *       5.10  ◇ │  unlink work.lock is submitted                   lockfile.js:61
 *       6.22  ◆ │  unlink work.lock           delayed by 1.05 ms  lockfile.js:61
 *
 * A delayed operation has two lines, its submission and its effect: the race is between them. An
 * operation that had not taken effect when the execution ended stands at the end. Of a long
 * execution only the surroundings of delays, injected faults and the end are shown, and what differs
 * from the nearest passing execution: `▶` marks where the two part, `+` what the other lacks.
 */

import { cut, plural } from '../contract/text.ts'
import { type Moment, type MomentsInput, momentsOf } from './moments.ts'
import { delayText, milliseconds } from './step-text.ts'
import type { Style } from './style.ts'

/** Steps shown at the beginning and the end, and on both sides of a delayed one. */
const AROUND = 3
const AT_START = 4
const AT_END = 10
const MAX_WHOLE = 40
/** Steps that differ from a passing execution and are shown beside those. */
const MAX_DIFFERING = 40
const MAX_COLUMNS = 12
const MAX_TEXT = 64

export function diagram(input: MomentsInput, style: Style): string[] {
  const moments = momentsOf(input)
  const columns = columnsOf(moments)
  const spans = spansOf(moments, columns)
  const rows = moments.map((moment, index) => row(moment, index, columns, spans))
  const width = (part: (row: Row) => string) => Math.max(0, ...rows.map((row) => part(row).length))
  const [timeWidth, textWidth, noteWidth] = [width((r) => r.time), width((r) => r.text), width((r) => r.note)]
  const gutter = (mark: string) => (input.difference === undefined ? '' : `${mark} `)
  const lines = rows.map(({ gutterMark, time, lanes, text, note, source, delayed }) => {
    const step = `${gutter(gutterMark)}${time.padStart(timeWidth)}  ${lanes}  ${text.padEnd(textWidth)}`
    const marked = delayed || gutterMark === PARTING ? style.warning(step) : step
    const noted = noteWidth === 0 ? '' : `  ${style.warning(note.padEnd(noteWidth))}`
    return `${marked}${noted}  ${style.dim(source)}`.trimEnd()
  })
  const head = style.dim(`${gutter(' ')}${'ms'.padStart(timeWidth)}  ${headOf(columns)}`.trimEnd())
  return [head, ...(input.all ? lines : elide(lines, rows, style))]
}

/** The gutter of the step at which the nearest passing execution parts, and of steps that it lacks. */
export const PARTING = '▶'
const ADDED = '+'

/** A column for each chain, in the order in which chains appear. */
function columnsOf(moments: readonly Moment[]): Map<string, number> {
  const columns = new Map<string, number>()
  for (const { chain } of moments) {
    if (!columns.has(chain)) columns.set(chain, Math.min(columns.size, MAX_COLUMNS - 1))
  }
  return columns
}

const columnCount = (columns: ReadonlyMap<string, number>) => Math.max(0, ...columns.values()) + 1

/** Columns have letters where there is more than one. */
function headOf(columns: ReadonlyMap<string, number>): string {
  const count = columnCount(columns)
  return count < 2 ? '' : Array.from({ length: count }, (_, index) => String.fromCharCode(65 + index)).join(' ')
}

/** The first and last line of each column: between them it is drawn through. */
function spansOf(moments: readonly Moment[], columns: ReadonlyMap<string, number>): { first: number; last: number }[] {
  const spans: { first: number; last: number }[] = []
  for (const [index, { chain }] of moments.entries()) {
    const column = columns.get(chain)!
    spans[column] = { first: spans[column]?.first ?? index, last: index }
  }
  return spans
}

interface Row {
  readonly gutterMark: string
  readonly time: string
  readonly lanes: string
  readonly text: string
  readonly note: string
  readonly source: string
  readonly delayed: boolean
  /** Whether it and its surroundings are shown however long the diagram is. */
  readonly notable: boolean
  /** Whether it differs from the nearest passing execution. */
  readonly differs: boolean
}

function row(
  moment: Moment,
  index: number,
  columns: ReadonlyMap<string, number>,
  spans: readonly { first: number; last: number }[],
): Row {
  const { chain, atUs, mark, text, source, delayUs, difference } = moment
  const own = columns.get(chain)!
  const lane = (column: number) => {
    if (column === own) return mark
    const { first, last } = spans[column]!
    return first < index && index < last ? '│' : ' '
  }
  return {
    gutterMark: difference === 'parting' ? PARTING : difference === 'added' ? ADDED : ' ',
    time: atUs === undefined ? '…' : milliseconds(atUs),
    lanes: Array.from({ length: columnCount(columns) }, (_, column) => lane(column)).join(' '),
    text: cut(text, MAX_TEXT),
    note: delayUs > 0 ? `delayed by ${delayText(delayUs)}` : '',
    source,
    delayed: delayUs > 0,
    notable: delayUs > 0 || mark === '◇' || mark === '✗' || difference === 'parting',
    differs: difference !== undefined,
  }
}

/** Leaves out the middle of long diagrams, except around delays, faults and differences. */
function elide(lines: readonly string[], rows: readonly Row[], style: Style): string[] {
  if (lines.length <= MAX_WHOLE) return [...lines]
  let differing = 0
  const shown = lines.map(
    (_, index) =>
      index < AT_START ||
      index >= lines.length - AT_END ||
      rows.slice(Math.max(0, index - AROUND), index + AROUND + 1).some((other) => other.notable) ||
      (rows[index]!.differs && differing++ < MAX_DIFFERING),
  )
  const out: string[] = []
  let hidden = 0
  for (const [index, line] of lines.entries()) {
    if (!shown[index]) {
      hidden++
      continue
    }
    if (hidden > 0) out.push(style.dim(`   … ${plural(hidden, 'step')} left out`))
    hidden = 0
    out.push(line)
  }
  return out
}
