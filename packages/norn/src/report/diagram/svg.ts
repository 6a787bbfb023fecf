/**
 * A diagram as a self-contained SVG: time downwards, a line for each lane, for each message an arrow from
 * where it was sent to where it ended, so that messages that overtake each other cross, and beside them
 * in words what happened. On hovering, a cluster's entries of the log as JSON.
 *
 * Invariants: same diagram, same bytes; no script and nothing from elsewhere; text of the program never
 * becomes markup; the size is bounded, as a diagram is folded. Colours follow the reader's preference for
 * light or dark.
 */
import { cut } from '../../contract/text.ts'
import { xmlText } from '../xml-text.ts'
import { type Diagram, partsOf, type Row, rowsShown, type Shown, shownOf } from './diagram.ts'
import {
  arrowShape,
  clock,
  DEFINITIONS,
  diamond,
  inFlightShape,
  lifeShape,
  line,
  markShape,
  ROW,
  titled,
  words,
} from './drawing.ts'
import { type Layout, layoutOf } from './layout.ts'
import { darkStyle, paintOf } from './paint.ts'
import { round, type Shape, shape } from './shape.ts'
import type { Room } from './space-time-folds.ts'
import { TASKS } from './text.ts'
import { delayText, timeTextOf } from './units.ts'

/**
 * Rows drawn at most, but for departures that need more; of a log that fits, all but runs that look
 * alike.
 */
export const SVG_ROOM: Room = { whole: 400, most: 400 }

/** Messages in flight that are drawn, the latest ones. */
const MAX_IN_FLIGHT = 400

/** Characters of what happened, of a title and what stands below, and of the name of a node at the end. */
const MAX_WORDS = 96
const MAX_HEAD = 140
const MAX_LAST_NAME = 7

/** Pixels. */
const TOP = 84
const MARGIN = 28
const CHARACTER = 7.3
const LEFT = { step: 66, time: 110, both: 132 } as const
const SCALE = { edge: 16, character: 14, node: { min: 44, least: 96, max: 130, all: 900 }, mostNodes: 24 } as const
/** Between times and lanes, and between lanes and words. */
const GAP = 12
const MIN_WIDTH = 760

/** The names of the nodes stand beside their lines again after so many rows. */
const NAMES_EVERY = 30

/** @param title the property's name */
export function diagramSvg(diagram: Diagram, title: string): string {
  const { rows, failure, inFlight, columns } = diagram
  const isCluster = columns === 'nodes'
  const shown = shownOf(diagram.rows.length, diagram.folds)
  const indices = rowsShown(shown)
  const left = isCluster ? LEFT.both : LEFT.time
  const shownRows = indices.map((index) => rows[index]!)
  const layout = layoutOf(diagram, rows, { ...SCALE, left: left + GAP }, shownRows)
  const places = placesOf(shown, rows.length)
  const yAt = (place: number) => TOP + ROW * (place + 1)
  const y = (row: number) => yAt(places[row] ?? row)
  const end = yAt(shown.length)
  const right = layout.right + GAP
  const texts = new Map(indices.map((index) => [index, wordsOf(rows[index]!)]))
  const longest = (of: Iterable<string>) => CHARACTER * Math.max(0, ...[...of].map((each) => each.length))
  const sources = right + longest(texts.values()) + MARGIN
  const time = timeTextOf(diagram)

  let last: Row | undefined
  const lines = shown.flatMap((each, place) => {
    const middle = yAt(place)
    if (typeof each !== 'number') {
      last = undefined
      const text = each.text.length <= MAX_WORDS ? each.text : (each.short ?? each.text)
      return words('dim', right, middle + 4, cut(text, MAX_WORDS))
    }
    const row = rows[each]!
    const { atUs, step, departs, difference, mark, detail, source = '' } = row
    const isEnd = failure !== undefined && each === shown.at(-1)
    const emphasis = isEnd || mark === 'fault' ? 'bad' : departs || difference === 'parting' ? 'departs' : ''
    const number = step === undefined || step === last?.step ? '' : String(step)
    last = row
    return titled(
      detail,
      shape('rect', { class: `band ${emphasis}`, y: middle - ROW / 2, width: '100%', height: ROW }),
      ...words('late', MARGIN - 8, middle + 4, gutterOf(row)),
      ...words('dim right', LEFT.step, middle + 4, number),
      ...words('dim right', left - 4, middle + 4, atUs === undefined ? '…' : time(atUs)),
      ...words(emphasis, right, middle + 4, texts.get(each)!),
      ...words('dim', sources, middle + 4, source),
    )
  })
  const folds = shown.flatMap((each, place) =>
    typeof each === 'number' ? [] : line('fold', `M${round(layout.left)} ${yAt(place)}H${round(layout.right)}`),
  )
  const arrows = indices.flatMap((index) => {
    const { arrow, lane } = rows[index]!
    if (arrow === undefined || lane === undefined) return []
    return [arrowShape(rows[index]!, layout, arrow.sent === undefined ? y(index) : y(arrow.sent), y(index))]
  })
  const below = isCluster
    ? diagram.notes
    : [...diagram.notes, ...(layout.heads.length > 0 && columns === 'chains' ? [TASKS] : []), MEANING]
  const legend = end + 30 + 18 * below.length
  const bottom = legend + (isCluster ? 44 : 0)
  const width = isCluster
    ? Math.max(LEGEND_WIDTH, sources)
    : Math.max(MIN_WIDTH, sources + longest(shownRows.map(({ source = '' }) => source)) + MARGIN)
  return svgText(Math.ceil(width), bottom, title, [
    ...words('title', MARGIN, 30, cut(title, MAX_HEAD)),
    ...(failure === undefined ? [] : words('bad', MARGIN, 50, cut(failure, MAX_HEAD))),
    ...lines,
    ...headsOf(layout, left, isCluster),
    ...layout.lives.map((life) => lifeShape(life, y)),
    ...(isCluster ? namesAgain(layout, shown.length, yAt) : []),
    ...folds,
    ...arrows,
    ...inFlight.slice(-MAX_IN_FLIGHT).map((each) => inFlightShape(each, layout, y)),
    ...indices.flatMap((index) => markShape(rows[index]!, layout, y(index)) ?? []),
    ...(failure === undefined ? [] : words('bad', right, end + 4, cut(`✗ ${failure}`, MAX_WORDS))),
    ...below.flatMap((text, index) =>
      words('dim', isCluster ? LEFT.both : MARGIN, end + 30 + 18 * index, cut(text, MAX_HEAD)),
    ),
    ...(isCluster ? legendOf(MARGIN, legend) : []),
  ])
}

const MEANING = '◆ delayed   ▶ where the nearest passing execution goes another way   ms: virtual time'

/** The mark at the left of a row: how it departs from the default schedule, or from a passing execution. */
function gutterOf({ departs, difference }: Row): string {
  return difference === 'parting' ? '▶' : difference === 'added' ? '+' : departs ? '◆' : ''
}

/** The place of each row among what is shown: that of its fold if it is folded; -1 and the end at both ends. */
function placesOf(shown: readonly Shown[], rows: number): Readonly<Record<number, number>> {
  const places: Record<number, number> = { [-1]: -1, [rows]: shown.length }
  for (const [place, each] of shown.entries()) {
    if (typeof each === 'number') places[each] = place
    else for (let row = each.first; row <= each.last; row++) places[row] = place
  }
  return places
}

function wordsOf(row: Row): string {
  const delayed = row.delayUs === undefined ? '' : `  (delayed by ${delayText(row.delayUs)})`
  return cut(partsOf(row, MAX_WORDS).join('  ') + delayed, MAX_WORDS)
}

function headsOf({ heads, nameRoom }: Layout, left: number, hasSteps: boolean): Shape[] {
  const room = nameRoom === 0 ? MAX_HEAD : Math.max(3, Math.floor((nameRoom - 6) / CHARACTER))
  return [
    ...(hasSteps ? words('dim right', LEFT.step, TOP - 6, 'step') : []),
    ...words('dim right', left - 4, TOP - 6, 'ms'),
    ...heads.map(({ at, name }) => {
      const [style, x] = nameRoom === 0 ? ['name', at - 5] : ['name middle', at]
      return titled([name], ...words(style!, x!, TOP - 6, cut(name, room)))
    }),
  ]
}

function namesAgain({ heads, nameRoom }: Layout, rows: number, yAt: (place: number) => number): Shape[] {
  const room = Math.max(2, Math.floor((nameRoom - 8) / 6))
  return Array.from({ length: Math.ceil(rows / NAMES_EVERY) - 1 }, (_, index) =>
    yAt((index + 1) * NAMES_EVERY),
  ).flatMap((y) =>
    heads.flatMap(({ at, name }, column) =>
      words('again', at + 4, y - 9, cut(name, column === heads.length - 1 ? MAX_LAST_NAME : room)),
    ),
  )
}

/** Pixels that the legend needs. */
const LEGEND_WIDTH = 1320

/** What the marks of a cluster mean, in one line that begins at a place. */
function legendOf(left: number, y: number): Shape[] {
  const items: [width: number, mark: Shape, meaning: string][] = [
    [86, line('arrow', `M0 ${y - 4}h22`, 'head'), 'message'],
    [64, line('arrow lost', `M0 ${y - 4}h18`, 'cross'), 'lost'],
    [100, line('arrow twice', `M0 ${y - 4}h18`, 'plus'), 'duplicated'],
    [100, line('arrow open', `M0 ${y - 8}l20 8`), 'in flight'],
    [64, clock('timer', 14, y - 4), 'timer'],
    [80, diamond('request', 14, y - 4), 'request'],
    [64, line('bar', `M2 ${y - 4}h20`), 'crash'],
    [78, line('bar up', `M2 ${y - 4}h20`), 'restart'],
    [0, shape('text', { class: 'late', x: 10, y }, '◆'), 'departs from the default schedule'],
  ]
  let x = left
  return items.map(([width, mark, meaning]) => {
    const item = shape('g', { transform: `translate(${x} 0)` }, mark, ...words('dim', 30, y, meaning))
    x += width + 30
    return item
  })
}

const FONT = "ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace"

function svgText(width: number, height: number, title: string, drawn: readonly Shape[]): string {
  const size = `width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"`
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" ${size} font-family="${FONT}" font-size="12" xml:space="preserve" role="img">`,
    `<title>${xmlText(title, MAX_HEAD)}</title>`,
    `<style>text{white-space:pre}${darkStyle()}</style>`,
    markupOf(DEFINITIONS),
    markupOf(shape('rect', { class: 'paper', width, height })),
    ...drawn.map(markupOf),
    '</svg>',
    '',
  ].join('\n')
}

function markupOf(drawn: Shape | string): string {
  if (typeof drawn === 'string')
    return drawn
      .split('\n')
      .map((each) => xmlText(each))
      .join('\n')
  const { tag, attributes, children } = drawn
  const all = Object.entries({ ...attributes, ...paintOf(drawn) })
  const start = `${tag}${all.map(([name, value]) => ` ${name}="${xmlText(String(value))}"`).join('')}`
  return children.length === 0 ? `<${start}/>` : `<${start}>${children.map(markupOf).join('')}</${tag}>`
}
