/** Draws what is visible on the canvas, so that a picture stays quick with many operations. */
import { canvas, data, pen } from './page.ts'
import { firstIn, room, TOP, toX, toY, view } from './view.ts'

/** The share of a row that its bars take. */
const BAR = 0.6
const MONO = 'px ui-monospace,SFMono-Regular,Menlo,Consolas,DejaVu Sans Mono,monospace'
/** Pixels of a character. */
const CHARACTER = 7.3

const COLOURS = ['paper', 'ink', 'dim', 'life', 'arrow', 'bad', 'band', 'worse', 'good', 'bar', 'failed'] as const
type Colour = (typeof COLOURS)[number]
const colours = {} as Record<Colour, string>

/** A bar that is drawn, in pixels. */
interface Bar {
  readonly index: number
  readonly left: number
  readonly right: number
  readonly top: number
  readonly size: number
}

export function readColours(): void {
  const style = getComputedStyle(document.documentElement)
  for (const name of COLOURS) colours[name] = style.getPropertyValue(`--${name}`).trim()
}

let isAsked = false
export function redraw(): void {
  if (isAsked) return
  isAsked = true
  requestAnimationFrame(() => {
    isAsked = false
    draw()
  })
}

/** A text in so many pixels. */
export function fit(text: string, width: number): string {
  const characters = Math.floor(width / CHARACTER)
  if (text.length <= characters) return text
  return characters < 2 ? '' : `${text.slice(0, characters - 1)}…`
}

export function draw(): void {
  const { width, height, left } = view
  const [from, to] = [view.x, view.x + room() / view.scale]
  pen.font = `12${MONO}`
  pen.textBaseline = 'middle'
  pen.setLineDash([])
  fill('paper', 0, 0, width, height)
  if (view.from !== Number.POSITIVE_INFINITY) drawBand()
  const first = Math.max(0, Math.floor((view.y - TOP) / view.lane))
  const last = Math.min(view.rows.length, Math.ceil((view.y + height - TOP) / view.lane))
  const bars: Bar[] = []
  for (let row = first; row < last; row++) drawRow(row, from, to, bars)
  pen.globalAlpha = 0.5
  if (view.scale >= 3) for (const order of view.orders) drawOrder(order, from, to)
  pen.globalAlpha = 1
  for (const bar of bars) drawText(bar)
  if (view.scale >= 6 && view.lane > 24) drawPoints(bars)
  fill('paper', 0, 0, left - 4, height)
  pen.fillStyle = colours.ink
  pen.font = `12${MONO}`
  if (view.lane >= 12) {
    for (let row = first; row < last; row++)
      pen.fillText(fit(data.lanes[view.lanes[row]!]!, left - 26), 20, toY(row) + view.lane * (1 - BAR / 2) - 1)
  }
  drawOverview()
  const seen = bars.filter(({ index }) => view.focused.has(index)).length
  canvas.dataset.drawn = `${bars.length}`
  canvas.dataset.finding = seenText(seen, view.focused.size)
}

function seenText(seen: number, all: number): string {
  if (all === 0) return 'none'
  return seen === all ? 'visible' : seen > 0 ? 'partly' : 'hidden'
}

function fill(colour: Colour, x: number, y: number, width: number, height: number): void {
  pen.fillStyle = colours[colour]
  pen.fillRect(x, y, width, height)
}

/** @param dashes pixels of a dash and of a gap; none for a line without gaps */
function stroke(points: readonly (readonly [x: number, y: number])[], dashes: readonly number[] = []): void {
  pen.setLineDash([...dashes])
  pen.beginPath()
  for (const [x, y] of points) pen.lineTo(x, y)
  pen.stroke()
  pen.setLineDash([])
}

function drawBand(): void {
  const [from, to] = [toX(view.from) - 6, toX(view.to) + 6]
  fill('worse', from, 0, to - from, view.height)
  pen.strokeStyle = colours.bad
  pen.lineWidth = 1
  for (const edge of [from, to]) {
    const line = [
      [edge, 0],
      [edge, view.height],
    ] as const
    stroke(line, [7, 4])
  }
}

/** The bars of a process. An operation whose outcome is unknown has no end; a line goes on from it. */
function drawRow(row: number, from: number, to: number, bars: Bar[]): void {
  const own = view.rows[row]!
  const size = view.lane * BAR
  const top = toY(row) + view.lane - size - 2
  pen.strokeStyle = colours.life
  pen.lineWidth = 1
  level(view.left, top + size / 2)
  if (view.openSince[row]! < to) {
    pen.strokeStyle = colours.dim
    level(Math.max(view.left, toX(view.openSince[row]!)), top + size, [4, 3])
  }
  let drawnTo = -1
  for (let at = firstIn(own, from); at < own.length && view.call[own[at]!]! <= to; at++) {
    const index = own[at]!
    const left = toX(view.call[index]!)
    const right = Math.max(left + 1.5, toX(view.end[index]!) - 3)
    if (right < view.left) continue
    // Of many in one pixel one is enough, but for those to look at.
    if (right < drawnTo + 0.7 && !view.focused.has(index) && index !== view.chosen) continue
    drawnTo = Math.max(drawnTo, right)
    const bar = { index, left, right, top, size }
    bars.push(bar)
    drawBar(bar)
  }
}

/** A line to the right edge. */
function level(from: number, y: number, dashes?: readonly number[]): void {
  const line = [
    [from, y],
    [view.width, y],
  ] as const
  stroke(line, dashes)
}

function drawBar({ index, left, right, top, size }: Bar): void {
  const { outcome } = data.operations[index]!
  const inside = outcome === 'fail' ? 'failed' : outcome === undefined ? 'bar' : 'paper'
  fill(view.hitSet.has(index) ? 'band' : inside, left, top, right - left, size)
  const isFocused = view.focused.has(index)
  const colour = isFocused ? 'bad' : outcome === undefined ? 'arrow' : 'dim'
  if (right - left <= 3) {
    fill(colour, left, top, right - left, size)
    return
  }
  pen.strokeStyle = colours[colour]
  pen.lineWidth = index === view.chosen ? 3 : isFocused || index === view.hovered ? 2 : 1
  if (outcome !== 'unknown') {
    pen.strokeRect(left, top, right - left, size)
    return
  }
  const open = [
    [right, top],
    [left, top],
    [left, top + size],
    [right, top + size],
  ] as const
  stroke(open, [4, 3])
}

function drawText({ index, left, right, top, size }: Bar): void {
  if (size < 13) return
  const { text, outcome } = data.operations[index]!
  const from = Math.max(left, view.left) + 6
  const shown = fit(text, Math.min(right, view.width) - from - 4)
  if (shown === '') return
  pen.fillStyle = outcome === undefined ? colours.ink : colours.dim
  pen.fillText(shown, from, top + size / 2 + 1)
  if (outcome === 'fail') pen.fillRect(from, top + size / 2, shown.length * 7.22, 1)
}

/** A line from where each operation takes effect to where the next does. */
function drawOrder(order: readonly number[], from: number, to: number): void {
  const margin = 20
  pen.strokeStyle = colours.good
  pen.lineWidth = 1.2
  pen.beginPath()
  let isOpen = false
  for (const index of order) {
    const at = view.at.get(index)!
    const isNear = at >= from - margin && at <= to + margin
    const y = toY(view.row[index]!) + view.lane * (1 - BAR) - 2
    if (isNear && isOpen) pen.lineTo(toX(at), y)
    else if (isNear) pen.moveTo(toX(at), y)
    isOpen = isNear
  }
  pen.stroke()
}

/** Where operations take effect, with their numbers where these have room. */
function drawPoints(bars: readonly Bar[]): void {
  pen.font = `11${MONO}`
  pen.strokeStyle = colours.paper
  pen.fillStyle = colours.good
  pen.lineWidth = 4
  pen.lineJoin = 'round'
  const free = new Map<number, number>()
  for (const { index, top } of bars) {
    const at = view.at.get(index)
    if (at === undefined) continue
    const x = toX(at)
    const row = view.row[index]!
    const number = String(data.operations[index]!.place)
    pen.beginPath()
    pen.arc(x, top, 3, 0, 7)
    pen.fill()
    if (x - 2 < (free.get(row) ?? 0)) continue
    free.set(row, x + number.length * 6.7 + 6)
    pen.strokeText(number, x + 2, top - 9)
    pen.fillText(number, x + 2, top - 9)
  }
}

/** Which part of the history is visible, and where the finding is. */
function drawOverview(): void {
  const [y, size] = [6, 7]
  const per = room() / (view.places + 2)
  fill('paper', 0, 0, view.width, y + size + 6)
  const mark = (colour: Colour, from: number, to: number, least: number) =>
    fill(colour, view.left + (from + 1) * per, y, Math.max(least, (to - from) * per), size)
  mark('failed', -1, view.places + 1, 1)
  mark('life', Math.max(-1, view.x), Math.min(view.places + 1, view.x + room() / view.scale), 6)
  if (view.from !== Number.POSITIVE_INFINITY) mark('bad', view.from, view.to, 3)
}
