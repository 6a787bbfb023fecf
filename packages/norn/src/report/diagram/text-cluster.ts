/**
 * The diagram of a cluster as text: a lifeline for each node, time downwards, an arrow where a message
 * is handled, and words for what happened in as many lines as they need.
 *
 *       step  ms  a     b     c
 *     ◆    3   2  │     ◀─────┤  #4 Vote term=1; → #6
 *          4   2  ┻     │     │  a crashes
 *
 * Messages are numbered: `→ #6` stands where message 6 was sent, `#6` where it was handled or lost.
 * ◆ at the left marks where the schedule departs from the default: these steps cause the failure.
 */
import { cut } from '../../contract/text.ts'
import { printableLine } from '../printable.ts'
import type { Style } from '../style.ts'
import { cellsOf, type Life, letterOf, lifeCells, nodeColumns, nodesOf } from './columns.ts'
import { type Diagram, type Mark, partsOf, type Row, rowsShown, shownOf } from './diagram.ts'
import type { Room } from './space-time-folds.ts'
import { timeTextOf } from './units.ts'

/** A diagram, and what marks mean, and notes. */
export interface DiagramText {
  readonly lines: readonly string[]
  readonly below: readonly string[]
}

/** Lines of a diagram; departures and wrapped words may add more. */
export const TEXT_ROOM: Room = { whole: 40, most: 50 }

/** Lines for the words of one row. */
const MAX_TEXT_LINES = 3

/** Rows that are never part of a normal run. */
const ALARMS: ReadonlySet<Mark> = new Set(['lost', 'duplicate', 'crash', 'partition'])

const plain = (text: string) => text

export function clusterText(diagram: Diagram, style: Style, width: number): DiagramText {
  const { rows, failure, notes } = diagram
  const shown = shownOf(diagram.rows.length, diagram.folds)
  const shownRows = rowsShown(shown).map((index) => rows[index]!)
  const time = timeTextOf(diagram)
  const timeWidth = Math.max(2, time(rows.at(-1)?.atUs ?? 0).length)
  const stepWidth = Math.max(4, ...rows.map(({ step = 0 }) => String(step).length))
  const left = 2 + stepWidth + 2 + timeWidth + 2
  const nodes = nodesOf(diagram, shownRows, mostColumns(width - left))
  const { step: between, isLettered } = spacing(nodes.names, width - left)
  const columns = nodeColumns(nodes, rows, between)
  const text = width - left - columns.width - 2
  const nowhere = ' '.repeat(stepWidth + 2 + timeWidth)
  const line = (mark: string, at: string, cells: string, words: string) => `${mark} ${at}  ${cells}  ${words}`.trimEnd()
  const life = (isThere: (life: Life) => boolean, cell?: string) =>
    style.dim(lifeCells(columns, isThere, cell).join(''))

  const heads = headsOf(nodes.names, between, isLettered).map((names, index, all) => {
    const at = index < all.length - 1 ? nowhere : `${'step'.padStart(stepWidth)}  ${'ms'.padStart(timeWidth)}`
    return style.dim(`  ${at}  ${names}`.trimEnd())
  })
  const lines: string[] = []
  let last: Row | undefined
  for (const each of shown) {
    if (typeof each !== 'number') {
      const { first, text: long, short = long } = each
      const cells = life((lane) => lane.first < first && first <= lane.last, '┊')
      lines.push(line(' ', nowhere, cells, style.dim(cut(long.length <= text ? long : short, text))))
      last = undefined
      continue
    }
    const row = rows[each]!
    const { mark, atUs = 0, step, departs } = row
    const at = style.dim(
      `${(step === undefined || step === last?.step ? '' : String(step)).padStart(stepWidth)}  ${time(atUs).padStart(timeWidth)}`,
    )
    last = row
    const isEnd = failure !== undefined && each === shown.at(-1)
    const set = isEnd ? style.bad : departs || ALARMS.has(mark) ? style.warning : plain
    const before = lifeCells(columns, (lane) => lane.first < each && each <= lane.last)
    const [first = '', ...more] = wrapped(partsOf(row, text), text)
    lines.push(
      line(departs ? style.warning('◆') : ' ', at, dimmed(cellsOf(columns, each, row), before, style), set(first)),
    )
    const after = life((lane) => lane.first <= each && each < lane.last)
    for (const words of more) lines.push(line(' ', nowhere, after, set(words)))
  }
  if (failure !== undefined) {
    const end = life((lane) => lane.last === rows.length)
    for (const [index, words] of inLines(printableLine(failure), text - 2).entries())
      lines.push(line(' ', nowhere, end, style.bad(`${index === 0 ? '✗' : ' '} ${words}`)))
  }
  const letters = isLettered ? nodes.names.map((name, index) => `${letterOf(index)} ${name}`) : []
  const below = [
    ...notes.map((note) => cut(note, width - 2)),
    ...listed(letters, width - 2),
    ...listed(legendOf(shownRows), width - 2),
  ]
  return { lines: [...heads, ...lines], below: below.map((words) => `  ${words}`) }
}

/** Columns, whatever the room: nobody follows more lines. */
const MAX_COLUMNS = 16

/** Characters from one line of life to the next. */
const STEP = { min: 2, max: 10 } as const

/**
 * Characters that words should have before lines of life are set further apart, and those they have
 * at least.
 */
const TEXT = { enough: 44, min: 24 } as const

/**
 * With more names than this, columns are headed by letters: names one below the other would take
 * too much room.
 */
const MAX_STAIRS = 8

/** @param room characters for lanes and words together */
function mostColumns(room: number): number {
  return Math.max(2, Math.min(MAX_COLUMNS, Math.floor((room - 3 - TEXT.min) / STEP.min) + 1))
}

function spacing(names: readonly string[], room: number): { readonly step: number; readonly isLettered: boolean } {
  const count = Math.max(1, names.length)
  const fits = (step: number, text: number) => (count - 1) * step + 3 + text <= room
  let step: number = STEP.min
  while (step < STEP.max && fits(step + 1, step < 4 ? TEXT.min + 6 : TEXT.enough)) step++
  return { step, isLettered: count > MAX_STAIRS && names.some((name) => name.length >= step) }
}

/** The names above the lines, one below the other where they are too long to stand side by side. */
function headsOf(names: readonly string[], step: number, isLettered: boolean): string[] {
  const lines: string[] = []
  let line = ''
  for (const [index, name] of names.entries()) {
    const at = index * step
    if (line.length >= at && index > 0) {
      lines.push(line)
      line = Array.from({ length: index }, () => '│'.padEnd(step)).join('')
    }
    line = line.padEnd(at) + (isLettered ? letterOf(index) : name)
  }
  return [...lines, line]
}

/** Sets back what is only a line of life. */
function dimmed(cells: readonly string[], before: readonly string[], style: Style): string {
  let text = ''
  for (let at = 0; at < cells.length; ) {
    const isLife = cells[at] === before[at]
    let end = at + 1
    while (end < cells.length && (cells[end] === before[end]) === isLife) end++
    const part = cells.slice(at, end).join('')
    text += isLife ? style.dim(part) : part
    at = end
  }
  return text
}

/** A text in lines that break between words; a long text is cut. */
function inLines(text: string, room: number): string[] {
  const lines = filled(text.split(' '), ' ', room)
  if (lines.length <= MAX_TEXT_LINES) return lines
  return [...lines.slice(0, MAX_TEXT_LINES - 1), cut(lines.slice(MAX_TEXT_LINES - 1).join(' '), room)]
}

/** Parts side by side where there is room, else one below the other; the first of very many. */
function wrapped(parts: readonly string[], room: number): string[] {
  const lines = filled(parts, '  ', room)
  if (lines.length <= MAX_TEXT_LINES) return lines
  const more = lines.length - MAX_TEXT_LINES + 1
  return [...lines.slice(0, MAX_TEXT_LINES - 1), `… and ${more} more lines`]
}

const listed = (names: readonly string[], room: number) => filled(names, '  ', room)

/** Parts in lines, as many in each as there is room for; a part that is too long is cut. */
function filled(parts: readonly string[], between: string, room: number): string[] {
  const lines: string[] = []
  for (const part of parts) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + between.length + part.length <= room)
      lines[lines.length - 1] = last + between + part
    else lines.push(cut(part, room))
  }
  return lines
}

/** The meaning of the marks that are used. */
function legendOf(rows: readonly Row[]): string[] {
  const is = (mark: Mark) => rows.some((row) => row.mark === mark)
  const isOwn = ({ mark, arrow, lane }: Row) => mark === 'arrival' && arrow !== undefined && arrow.from === lane
  const legend: [used: boolean, mark: string][] = [
    [rows.some(({ departs }) => departs), '◆ departs from the default schedule'],
    [is('arrival'), '▶ message handled'],
    [rows.some(isOwn), '↻ message to itself'],
    [rows.some(({ sends }) => sends !== undefined), '→ sends'],
    [is('lost'), '✗ lost'],
    [is('duplicate'), '+ duplicated'],
    [is('timer'), '◷ timer'],
    [is('request'), '◇ request'],
    [rows.some(({ more = [] }) => more.some(({ isEvent }) => isEvent)), '• event'],
    [is('crash'), '┻ crash'],
    [is('restart'), '┳ restart'],
    [true, 'ms: virtual time'],
  ]
  return legend.flatMap(([used, mark]) => (used ? [mark] : []))
}
