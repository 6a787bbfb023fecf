/** What is drawn in the lanes of a diagram: their lines, the arrows of messages, and marks. Pure. */
import { glyphOf, groupName, isRule, type Life } from './columns.ts'
import type { InFlight, Mark, Row } from './diagram.ts'
import type { Layout } from './layout.ts'
import { round, type Shape, shape } from './shape.ts'

/** Pixels from row to row. */
export const ROW = 24

/** What the pointer is told, and the shapes that it is told of. */
export function titled(title: readonly string[] | undefined, ...shapes: readonly Shape[]): Shape {
  return title === undefined
    ? shape('g', {}, ...shapes)
    : shape('g', {}, shape('title', {}, title.join('\n')), ...shapes)
}

export function line(style: string, d: string, end?: string): Shape {
  return shape('path', { class: style, d, ...(end === undefined ? {} : { 'marker-end': `url(#${end})` }) })
}

/** A text; nothing without one. */
export function words(style: string, x: number, y: number, text: string): Shape[] {
  return text === '' ? [] : [shape('text', { class: style, x: round(x), y: round(y) }, text)]
}

export function diamond(style: string, x: number, y: number): Shape {
  return line(style, `M${round(x)} ${round(y - 7)}l7 7l-7 7l-7 -7z`)
}

export function clock(style: string, x: number, y: number): Shape {
  const hands = shape('path', { d: `M${round(x)} ${round(y - 4)}v4h3` })
  return shape('g', { class: style }, shape('circle', { cx: round(x), cy: round(y), r: 6 }), hands)
}

/** @param y the middle of a row */
export function lifeShape({ at, first, last }: Life, y: (row: number) => number): Shape {
  return line('life', `M${round(at)} ${round(y(first))}V${round(y(last))}`)
}

/** Pixels between the end of an arrow and the line of the receiver, which a lost message does not reach. */
const SHORT = { arrives: 4, ends: 14 } as const
const MIN_PART = 0.3

/** Ends of arrows, by their marks. */
const ENDS: Readonly<Partial<Record<Mark, 'cross' | 'plus'>>> = { lost: 'cross', fault: 'cross', duplicate: 'plus' }
const STYLES = { cross: 'arrow lost', plus: 'arrow twice' } as const

/** The message of a row. @param start,end heights of where it was sent, and of the row */
export function arrowShape(row: Row, layout: Layout, start: number, end: number): Shape {
  const { arrow, lane, mark, detail } = row
  const late = row.departs ? ' late' : ''
  const from = layout.at(arrow!.from)
  const [dx, dy] = [layout.at(lane!) - from, end - start]
  const broken = ENDS[mark]
  const length = Math.hypot(dx, dy)
  const short = broken === undefined ? SHORT.arrives : SHORT.ends
  const part = length === 0 ? 1 : Math.max(MIN_PART, 1 - short / length)
  const bulge = round(Math.min(Math.max(22, layout.nameRoom / 2), 20 + dy / 8))
  const d =
    dx === 0
      ? dy === 0
        ? `M${round(from)} ${round(start - 6)}c18 0 18 10 5 10`
        : `M${round(from)} ${round(start)}c${bulge} ${round(Math.min(8, dy / 3))} ${bulge} ${round(dy)} ${short} ${round(dy)}`
      : `M${round(from)} ${round(start)}l${round(dx * part)} ${round(dy * part)}`
  const style = broken === undefined ? `arrow${late}` : STYLES[broken]
  return titled(
    detail?.slice(0, 1),
    line('reach', d),
    line(style, d, broken ?? (row.departs ? 'head-late' : 'head')),
    dot(`dot${late}`, from, start, 2.5),
  )
}

/** A message that leaves its sender and gets nowhere. @param y the middle of a row */
export function inFlightShape({ from, to, sent, detail }: InFlight, layout: Layout, y: (row: number) => number): Shape {
  const [x, way] = [layout.at(from), Math.sign(layout.at(to) - layout.at(from))]
  const [dx, dy] = [way === 0 ? 16 : way * layout.nameRoom * 0.4, ROW * 0.7]
  return titled(detail, line('arrow open', `M${round(x)} ${y(sent)}l${round(dx)} ${round(dy)}`))
}

const dot = (style: string, x: number, y: number, r: number) =>
  shape('circle', { class: style, cx: round(x), cy: round(y), r })

/** The mark of a row at a height. */
export function markShape(row: Row, layout: Layout, y: number): Shape | undefined {
  const { mark, lane, arrow, groups = [] } = row
  if (isRule(mark)) return rule(mark, groups, layout, y)
  if (lane === undefined) return undefined
  const x = layout.at(lane)
  const late = row.departs ? ' late' : ''
  if (arrow !== undefined) return ENDS[mark] === undefined ? dot(`dot${late}`, x, y, 3.5) : undefined
  switch (mark) {
    case 'arrival':
    case 'effect':
    case 'event':
      return dot(`dot${late}`, x, y, 4)
    case 'sync':
      return dot(`dot${late}`, x, y, 3)
    case 'callback':
    case 'unreceived':
      return dot(`ring${late}`, x, y, 3.5)
    case 'submit':
      return diamond(`ring${late}`, x, y)
    case 'delayed':
      return diamond(`dot${late}`, x, y)
    case 'request':
      return diamond(`request${late}`, x, y)
    case 'timer':
    case 'set':
      return clock(`timer${late}`, x, y)
    case 'crash':
      return line('bar', `M${round(x - 12)} ${round(y)}h24`)
    case 'start':
    case 'restart':
      return line('bar up', `M${round(x - 12)} ${round(y)}h24`)
    default:
      return words(`middle${isBad(mark) ? ' bad' : late}`, x, y + 4, glyphOf(mark))[0]
  }
}

const isBad = (mark: Mark) => mark === 'fault' || mark === 'failure' || mark === 'lost'

/** A rule across; that of a partition bears the number of each node's group. */
function rule(mark: Mark, groups: readonly (readonly number[])[], layout: Layout, y: number): Shape {
  const { left, right } = layout
  const badges = groups.flatMap((group, index) =>
    group.flatMap((lane) => {
      const x = layout.at(lane)
      if (layout.isShared(lane)) return []
      return [dot('badge', x, y, 8), ...words('group middle', x, y + 4, groupName(index))]
    }),
  )
  return shape('g', {}, line(`rule ${mark}`, `M${round(left)} ${round(y)}H${round(right)}`), ...badges)
}

function marker(id: string, view: Shape['attributes'], style: string, d: string): Shape {
  return shape('marker', { id, ...view, markerUnits: 'userSpaceOnUse' }, line(style, d))
}

const HEAD = { viewBox: '0 0 8 8', refX: 7, refY: 4, markerWidth: 8, markerHeight: 8, orient: 'auto' } as const
const CROSS = { viewBox: '-6 -6 12 12', markerWidth: 12, markerHeight: 12 } as const

/** Ends of arrows: a renderer may not know how to colour them as their arrows. */
export const DEFINITIONS: Shape = shape(
  'defs',
  {},
  marker('head', HEAD, 'head', 'M0 0.5L8 4L0 7.5z'),
  marker('head-late', HEAD, 'head late', 'M0 0.5L8 4L0 7.5z'),
  marker('cross', CROSS, 'cross', 'M-5 -5L5 5M-5 5L5 -5'),
  marker('plus', CROSS, 'plus', 'M-5 0H5M0 -5V5'),
)
