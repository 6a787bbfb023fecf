/** A cycle of transactions as a graph: a ring of boxes with an arrow for each dependency. */
import type { CycleStep } from '../isolation/anomaly.ts'
import { htmlText } from './html-text.ts'

const BOX = { width: 190, height: 44 }
const GAP = 130
const MARGIN = 24
/** Longer cycles are told in words alone. */
const MAX_NODES = 12
const MAX_TEXT = 26

/** @param words of a transaction, by its index in the history */
export function cycleSvg(cycle: readonly CycleStep[], words: (transaction: number) => string): string {
  const count = cycle.length
  if (count > MAX_NODES) return ''
  const radius = count < 3 ? (BOX.width + GAP) / 2 : Math.max(150, (count * (BOX.width + 60)) / (2 * Math.PI))
  const height = count < 3 ? 150 : 2 * (radius * 0.62 + BOX.height) + 2 * MARGIN
  const width = 2 * radius + BOX.width + 2 * MARGIN
  const places = cycle.map((_, index) => {
    const angle = Math.PI * (1 + (2 * index) / count)
    return {
      x: width / 2 + radius * Math.cos(angle),
      y: count < 3 ? height / 2 : height / 2 + radius * 0.62 * Math.sin(angle),
    }
  })
  const edges = cycle.map(({ edge, key }, index) => {
    const label = key === undefined ? edge : `${edge} on ${JSON.stringify(key)}`
    return arrow(places[index]!, places[(index + 1) % count]!, label, edge, count)
  })
  const boxes = cycle.map(({ transaction }, index) => {
    const { x, y } = places[index]!
    const text = words(transaction)
    const short = text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT - 1)}…` : text
    const corner = `x="${round(x - BOX.width / 2)}" y="${round(y - BOX.height / 2)}"`
    return `<g data-operation="${transaction}" class="node"><title>${htmlText(text)}</title>
<rect ${corner} width="${BOX.width}" height="${BOX.height}" rx="6"/>
<text x="${round(x)}" y="${round(y - 4)}" class="name">T${index + 1}</text>
<text x="${round(x)}" y="${round(y + 13)}">${htmlText(short)}</text></g>`
  })
  return `<svg class="cycle" width="${round(width)}" height="${round(height)}" role="img" aria-label="the cycle">
<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto"
markerUnits="userSpaceOnUse"><path d="M0 0.5L8 4L0 7.5z" fill="context-stroke"/></marker></defs>
${edges.join('\n')}
${boxes.join('\n')}
</svg>`
}

interface Point {
  readonly x: number
  readonly y: number
}

function arrow(from: Point, to: Point, label: string, edge: string, count: number): string {
  const start = border(from, to)
  const end = border(to, from)
  // Of two transactions the arrows would lie on each other.
  const length = Math.hypot(to.x - from.x, to.y - from.y) || 1
  const bend = count === 2 ? 42 : 14
  const middle = {
    x: (start.x + end.x) / 2 + (bend * (to.y - from.y)) / length,
    y: (start.y + end.y) / 2 - (bend * (to.x - from.x)) / length,
  }
  const path = `M${round(start.x)} ${round(start.y)}Q${round(middle.x)} ${round(middle.y)} ${round(end.x)} ${round(end.y)}`
  const place = `x="${round(middle.x)}" y="${round(middle.y + 4)}"`
  return `<path class="edge ${edge}" d="${path}" marker-end="url(#head)"/><text class="label" ${place}>${htmlText(label)}</text>`
}

/** Where the line between the middles of two boxes leaves the first. */
function border(from: Point, to: Point): Point {
  const x = to.x - from.x
  const y = to.y - from.y
  const share = Math.min(
    x === 0 ? 1 : (BOX.width / 2 + 3) / Math.abs(x),
    y === 0 ? 1 : (BOX.height / 2 + 3) / Math.abs(y),
  )
  return { x: from.x + x * share, y: from.y + y * share }
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
