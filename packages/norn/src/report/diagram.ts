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
 *
 * Over connections, columns belong to clients and servers, and what arrives is an arrow from the
 * sender: see party-columns.ts.
 */

import { cut } from '../contract/text.ts'
import { ChainColumns } from './chain-columns.ts'
import { type Moment, type MomentsInput, momentsOf } from './moments.ts'
import { PartyColumns, type PlacedStep } from './party-columns.ts'
import { shownRows } from './shown-moments.ts'
import { delayText, milliseconds } from './step-text.ts'
import { serversOf } from './strands.ts'
import type { Style } from './style.ts'

const MAX_TEXT = 64
const MIN_TEXT = 24

/** The folders of places, which a narrow diagram leaves out. */
const FOLDERS = /[^\s:]*\//g

/** @param room characters for a line; what does not fit even so, stands beyond */
export function diagram(input: MomentsInput, style: Style, room = Number.POSITIVE_INFINITY): string[] {
  const moments = momentsOf(input)
  const columns =
    input.traffic === undefined
      ? new ChainColumns(moments)
      : new PartyColumns(moments as PlacedStep[], serversOf(input.traffic))
  const rows = moments.map((moment, index) =>
    row(moment, columns.cells(index, moment as Moment & PlacedStep, moment.mark)),
  )
  const shown = shownRows(moments, (index) => lineOf(rows[index]!), input.all)
  const measured =
    input.traffic === undefined ? rows : shown.flatMap((row) => (typeof row === 'number' ? rows[row]! : []))
  const width = (part: (row: Row) => string) => Math.max(0, ...measured.map((row) => part(row).length))
  const noteWidth = width((r) => r.note)
  const timeWidth = width((r) => r.time)
  const gutter = (mark: string) => (input.difference === undefined ? '' : `${mark} `)
  const noted = noteWidth === 0 ? 0 : noteWidth + 2
  const left = gutter(' ').length + timeWidth + 2 + width((r) => r.lanes) + 2
  const isTight = left + width((r) => r.text) + noted + 2 + width((r) => r.source) > room
  const sourceOf = ({ source }: Row) => (isTight ? source.replaceAll(FOLDERS, '') : source)
  const most = isTight ? room - left - 2 - width(sourceOf) : MAX_TEXT + noted
  // A text without a note takes the note's place where there is little.
  const textOf = ({ text, note }: Row) => cut(text, Math.max(MIN_TEXT, isTight && note === '' ? most : most - noted))
  const textWidth = width((each) => (isTight && each.note === '' ? '' : textOf(each)))
  const bodyWidth = Math.max(textWidth + noted, width(textOf))
  const lines = rows.map((each) => {
    const { gutterMark, time, lanes, note, delayed } = each
    const text = textOf(each).padEnd(note === '' ? bodyWidth : textWidth)
    const step = `${gutter(gutterMark)}${time.padStart(timeWidth)}  ${lanes}  ${text}`
    const marked = delayed || gutterMark === PARTING ? style.warning(step) : step
    const noteText = note === '' ? '' : `  ${style.warning(note.padEnd(bodyWidth - textWidth - 2))}`
    return `${marked}${noteText}  ${style.dim(sourceOf(each))}`.trimEnd()
  })
  const head = style.dim(`${gutter(' ')}${'ms'.padStart(timeWidth)}  ${columns.head}`.trimEnd())
  return [head, ...shown.map((row) => (typeof row === 'number' ? lines[row]! : style.dim(`   ${row.text}`)))]
}

/** The gutter of the step at which the nearest passing execution parts, and of steps that it lacks. */
export const PARTING = '▶'
const ADDED = '+'

interface Row {
  readonly gutterMark: string
  readonly time: string
  readonly lanes: string
  readonly text: string
  readonly note: string
  readonly source: string
  readonly delayed: boolean
}

function row({ atUs, text, source, delayUs, difference }: Moment, lanes: string): Row {
  return {
    gutterMark: difference === 'parting' ? PARTING : difference === 'added' ? ADDED : ' ',
    time: atUs === undefined ? '…' : milliseconds(atUs),
    lanes,
    text: cut(text, MAX_TEXT),
    note: delayUs > 0 ? `delayed by ${delayText(delayUs)}` : '',
    source,
    delayed: delayUs > 0,
  }
}

const lineOf = ({ gutterMark, lanes, text, source }: Row) => `${gutterMark}${lanes} ${text} ${source}`
