/**
 * A diagram as text for a terminal: a line for each row, its lanes drawn in characters, and what
 * happened in words. Of a program, with the line of source that started the step:
 *
 *         ms  A B
 *       5.00  │ ●  open work.lock → EEXIST                         lockfile.js:156
 *       5.10  ◇ │  unlink work.lock is submitted                   lockfile.js:61
 *       6.22  ◆ │  unlink work.lock           delayed by 1.05 ms  lockfile.js:61
 *
 * A delayed operation has two lines, its submission and its effect: the race is between them. An
 * operation that had not taken effect when the execution ended stands at the end. `▶` marks where the
 * nearest passing execution parts, `+` what it lacks. Of clusters: see text-cluster.ts.
 */
import { cut } from '../../contract/text.ts'
import type { Style } from '../style.ts'
import { type Columns, cellsOf, columnsOf, glyphOf, wayOf } from './columns.ts'
import { type Diagram, type Mark, partsOf, type Row, rowsShown, shownOf } from './diagram.ts'
import { briefFile } from './step-text.ts'
import { clusterText, type DiagramText } from './text-cluster.ts'
import { delayText, milliseconds } from './units.ts'

/** @param width of a line, in characters; what does not fit even so, stands beyond */
export function diagramText(diagram: Diagram, style: Style, width = Number.POSITIVE_INFINITY): DiagramText {
  return diagram.columns === 'nodes' ? clusterText(diagram, style, width) : programText(diagram, style, width)
}

/** The gutter of the step at which the nearest passing execution parts, and of steps that it lacks. */
export const PARTING = '▶'
const ADDED = '+'

const MAX_TEXT = 64
const MIN_TEXT = 24

/** A file with its line. */
const PLACE = /\S+(:\d+)/g

/** Cuts a text; a place in which the cut falls keeps its line: `rejects a promise of Pool…:163`. */
function cutToLine(text: string, room: number): string {
  if (text.length <= room) return text
  const place = [...text.matchAll(PLACE)].find(({ 0: { length }, index }) => index + length >= room)
  if (place === undefined) return cut(text, room)
  const [, line = ''] = place
  const kept = room - 1 - line.length
  return kept > place.index ? `${text.slice(0, kept)}…${line}` : cut(text, room)
}

/** Files of places, whose folders a narrow diagram leaves out. */
const FILES = /[^\s:]*\/[^\s:]*/g

/** The parts of a line. */
interface Parts {
  readonly gutter: string
  readonly time: string
  readonly text: string
  readonly note: string
  readonly source: string
  readonly isMarked: boolean
}

function programText(diagram: Diagram, style: Style, room: number): DiagramText {
  const parts = diagram.rows.map(partsOfLine)
  const shown = shownOf(diagram.rows.length, diagram.folds)
  const indices = rowsShown(shown)
  const measured = diagram.columns === 'chains' ? parts : indices.map((index) => parts[index]!)
  const width = (part: (line: Parts) => string) => Math.max(0, ...measured.map((line) => part(line).length))
  const noteWidth = width(({ note }) => note)
  const timeWidth = width(({ time }) => time)
  const gutterOf = (mark: string) => (diagram.isCompared ? `${mark} ` : '')
  const noted = noteWidth === 0 ? 0 : noteWidth + 2
  const besides = gutterOf(' ').length + timeWidth + 2 + 2
  const whole = columnsOf(diagram, diagram.rows)
  const isTight = besides + whole.width + width(({ text }) => text) + noted + 2 + width(({ source }) => source) > room
  const { shortParties = diagram.parties } = diagram
  const columns = isTight ? columnsOf({ ...diagram, parties: shortParties }, diagram.rows) : whole
  const left = besides + columns.width
  const sourceOf = ({ source }: Parts) => (isTight ? source.replaceAll(FILES, briefFile) : source)
  const most = isTight ? room - left - 2 - width(sourceOf) : MAX_TEXT + noted
  // A text without a note takes the note's place where there is little.
  const textOf = ({ text, note }: Parts) =>
    cutToLine(text, Math.max(MIN_TEXT, isTight && note === '' ? most : most - noted))
  const textWidth = width((each) => (isTight && each.note === '' ? '' : textOf(each)))
  const bodyWidth = Math.max(textWidth + noted, width(textOf))
  const lineOf = (index: number) => {
    const line = parts[index]!
    const { gutter, time, note, isMarked } = line
    const lanes = cellsOf(columns, index, diagram.rows[index]!).join('')
    const text = textOf(line).padEnd(note === '' ? bodyWidth : textWidth)
    const step = `${gutterOf(gutter)}${time.padStart(timeWidth)}  ${lanes}  ${text}`
    const noteText = note === '' ? '' : `  ${style.warning(note.padEnd(bodyWidth - textWidth - 2))}`
    return `${isMarked ? style.warning(step) : step}${noteText}  ${style.dim(sourceOf(line))}`.trimEnd()
  }
  const names = columns.heads.reduce((line, { at, name }) => line.padEnd(at) + name, '')
  return {
    lines: [
      style.dim(`${gutterOf(' ')}${'ms'.padStart(timeWidth)}  ${names}`.trimEnd()),
      ...shown.map((each) => (typeof each === 'number' ? lineOf(each) : style.dim(`   ${each.text}`))),
    ],
    below: [...legendOf(diagram, columns, indices), ...diagram.notes],
  }
}

function partsOfLine(row: Row): Parts {
  const { atUs, source = '', delayUs, difference } = row
  return {
    gutter: difference === 'parting' ? PARTING : difference === 'added' ? ADDED : ' ',
    time: atUs === undefined ? '…' : milliseconds(atUs),
    text: partsOf(row, MAX_TEXT)[0]!,
    note: delayUs === undefined ? '' : `delayed by ${delayText(delayUs)}`,
    source,
    isMarked: delayUs !== undefined || difference === 'parting',
  }
}

const MEANINGS: readonly (readonly [mark: Mark, meaning: string])[] = [
  ['effect', 'takes effect'],
  ['half', 'half done'],
  ['submit', 'submitted'],
  ['delayed', 'delayed'],
  ['callback', 'calls back'],
  ['sync', 'at once'],
  ['fault', 'injected fault'],
]

/** The meaning of the marks and columns that a diagram uses. */
function legendOf({ columns: kind, rows }: Diagram, columns: Columns, shown: readonly number[]): string[] {
  const of = shown.map((index) => rows[index]!)
  const arrives = (way: number) => of.some((row) => row.mark === 'arrival' && wayOf(columns, row) === way)
  const marks = [
    ...MEANINGS.flatMap(([mark, meaning]) =>
      of.some((row) => row.mark === mark) ? [`${glyphOf(mark)} ${meaning}`] : [],
    ),
    ...(of.some(({ difference }) => difference === 'added') ? [`${ADDED} not in the passing execution`] : []),
    ...(kind === 'isolates'
      ? [
          ...(arrives(1) || arrives(-1) ? ['─▶ arrives'] : []),
          ...(of.some(({ sends }) => sends) ? ['→ #1 sends #1'] : []),
        ]
      : [...(arrives(1) ? ['─▶ arrives at a server'] : []), ...(arrives(-1) ? ['◀─ at a client'] : [])]),
    ...(of.some(({ mark }) => mark === 'unreceived') ? [`${glyphOf('unreceived')} not received`] : []),
    'ms: virtual time',
  ]
  const hasLetters = kind === 'chains' && columns.heads.length > 0
  return [marks.join('  '), ...(hasLetters ? [TASKS] : [])]
}

export const TASKS = 'A, B, …: one task each, steps that follow from one another'
