/**
 * An execution of a cluster as a space-time diagram for the terminal: a lifeline for each node,
 * time downwards, an arrow where a message is handled, and words for what happened.
 *
 *       step  ms  a     b     c
 *     ◆    3   2  │     ◀─────┤  #4 Vote term=1; → #6
 *          4   2  ┻     │     │  a crashes
 *
 * Messages are numbered: `→ #6` stands where message 6 was sent, `#6` where it was handled or lost.
 * ◆ at the left marks where the schedule departs from the default: these steps cause the failure.
 * Rows that say little are folded and counted; see space-time-rows.ts.
 */
import type { EntryKind } from '../cluster/log.ts'
import { cut } from '../contract/text.ts'
import { printableLine } from './printable.ts'
import { Lanes, legendLines } from './space-time-lanes.ts'
import { type Room, type Row, rowsOf, type Shown, type SpaceTime, select, underWay } from './space-time-rows.ts'
import { foldText, rowText, underWayText } from './space-time-text.ts'
import { milliseconds } from './step-text.ts'
import type { Style } from './style.ts'

/** Lines of a diagram; departures and wrapped words may add more. */
const ROOM: Room = { whole: 40, most: 50 }

/** Lines for the words of one row. */
const MAX_TEXT_LINES = 3

/** Entries that are never part of a normal run. */
const ALARMS: ReadonlySet<EntryKind> = new Set(['lost', 'duplicate', 'crash', 'partition'])

const plain = (text: string) => text

/**
 * @param width of a line, in characters
 * @param all every step gets a line
 */
export function spaceTime(input: SpaceTime, width: number, style: Style, all = false): string[] {
  const rows = rowsOf(input)
  const shown: readonly Shown[] = all ? rows.map((row) => ({ row })) : select(rows, ROOM)
  const isWhole = rows.every(({ entry }) => entry.atUs % 1000 === 0)
  const time = (us: number) => (isWhole ? String(us / 1000) : milliseconds(us))
  const timeWidth = Math.max(2, time(rows.at(-1)?.entry.atUs ?? 0).length)
  const stepWidth = Math.max(4, String(rows.at(-1)?.entry.step ?? 0).length)
  const left = 2 + stepWidth + 2 + timeWidth + 2
  const lanes = new Lanes(input.nodes, shown, width - left)
  const text = width - left - lanes.width - 2
  const nowhere = ' '.repeat(stepWidth + 2 + timeWidth)
  const line = (mark: string, at: string, cells: string, words: string) => `${mark} ${at}  ${cells}  ${words}`.trimEnd()

  const heads = lanes.heads().map((names, index, all) => {
    const at = index < all.length - 1 ? nowhere : `${'step'.padStart(stepWidth)}  ${'ms'.padStart(timeWidth)}`
    return style.dim(`  ${at}  ${names}`.trimEnd())
  })
  const lines: string[] = []
  let lastStep = -1
  let isCalm = false
  for (const [index, each] of shown.entries()) {
    if ('folded' in each) {
      lines.push(line(' ', nowhere, style.dim(lanes.fold()), style.dim(cut(foldText(each.folded, text), text))))
      for (const row of each.folded) lanes.pass(row)
      lastStep = -1
      continue
    }
    const { row } = each
    const { entry, departs } = row
    // In the fault-free phase there are no scheduled steps.
    if (entry.kind === 'calm') isCalm = true
    const step = isCalm || entry.step < 0 || entry.step === lastStep ? '' : String(entry.step)
    lastStep = entry.step
    const at = style.dim(`${step.padStart(stepWidth)}  ${time(entry.atUs).padStart(timeWidth)}`)
    const isLast = input.failure !== undefined && index === shown.length - 1
    const set = isLast ? style.bad : departs || ALARMS.has(entry.kind) ? style.warning : plain
    const [first = '', ...more] = wrapped(rowText(row, text), text)
    lines.push(line(departs ? style.warning('◆') : ' ', at, lanes.draw(row, style), set(first)))
    for (const words of more) lines.push(line(' ', nowhere, style.dim(lanes.life()), set(words)))
  }
  if (input.failure !== undefined) {
    for (const [index, words] of inLines(printableLine(input.failure), text - 2).entries()) {
      lines.push(line(' ', nowhere, style.dim(lanes.life()), style.bad(`${index === 0 ? '✗' : ' '} ${words}`)))
    }
  }
  const pending = underWayText(underWay(input.log), width - 2)
  const below = [
    ...(pending === undefined ? [] : [pending]),
    ...legendLines(lanes.legend, width - 2),
    ...legendLines(legendOf(shown), width - 2),
  ]
  return [...heads, ...lines, '', ...below.map((words) => style.dim(`  ${words}`))]
}

/** A text in lines that break between words; a long text is cut. */
function inLines(text: string, room: number): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + 1 + word.length <= room) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(cut(word, room))
  }
  if (lines.length <= MAX_TEXT_LINES) return lines
  return [...lines.slice(0, MAX_TEXT_LINES - 1), cut(lines.slice(MAX_TEXT_LINES - 1).join(' '), room)]
}

/** Parts side by side where there is room, else one below the other; the first of very many. */
function wrapped(parts: readonly string[], room: number): string[] {
  const lines: string[] = []
  for (const part of parts) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + 2 + part.length <= room) lines[lines.length - 1] = `${last}  ${part}`
    else lines.push(part)
  }
  if (lines.length <= MAX_TEXT_LINES) return lines
  const more = lines.length - MAX_TEXT_LINES + 1
  return [...lines.slice(0, MAX_TEXT_LINES - 1), `… and ${more} more lines`]
}

/** The meaning of the marks that are used. */
function legendOf(shown: readonly Shown[]): string[] {
  const rows = shown.flatMap((each) => ('row' in each ? [each.row] : []))
  const is = (kind: EntryKind) => rows.some(({ entry }) => entry.kind === kind)
  const itself = ({ entry: { node, peer } }: Row) => node === peer
  const handled = rows.filter(({ entry }) => entry.kind === 'deliver')
  const legend: [used: boolean, mark: string][] = [
    [rows.some(({ departs }) => departs), '◆ departs from the default schedule'],
    [handled.length > 0, '▶ message handled'],
    [handled.some(itself), '↻ message to itself'],
    [rows.some(({ answer }) => answer.some(({ kind }) => kind === 'send')), '→ sends'],
    [is('lost'), '✗ lost'],
    [is('duplicate'), '+ duplicated'],
    [is('timeout'), '◷ timer'],
    [is('request'), '◇ request'],
    [rows.some(({ answer }) => answer.some(({ kind }) => kind === 'event')), '• event'],
    [is('crash'), '┻ crash'],
    [is('restart'), '┳ restart'],
    [true, 'ms: virtual time'],
  ]
  return legend.flatMap(([used, mark]) => (used ? [mark] : []))
}
