/**
 * A cycle of transactions as a graph: a column of boxes with an arrow for each dependency, the last of
 * which leads back to the first box. Labels stand beside their arrows, where nothing else does.
 */
import type { CycleStep } from '../isolation/anomaly.ts'
import { showKey } from '../isolation/words.ts'
import { htmlText } from './html-text.ts'
import { cut } from './operation-words.ts'

/** Pixels. */
const BOX = { width: 250, height: 44, apart: 84 }
const BACK = 26
const CHARACTER = 7.3
/** Longer cycles are told in words alone. */
const MAX_NODES = 12
/** Characters in a box, of a label, and of the text on hovering. */
const MAX_TEXT = 33
const MAX_LABEL = 26
const MAX_TITLE = 2000

/** A transaction in words, and its place in the picture. */
interface Shown {
  readonly text: string
  readonly place: number
}

/** @param shown a transaction, by its index in the history */
export function cycleSvg(cycle: readonly CycleStep[], shown: (transaction: number) => Shown): string {
  if (cycle.length > MAX_NODES) return ''
  const last = cycle.length - 1
  const labels = cycle.map(({ edge, key }) => short(key === undefined ? edge : `${edge} on ${showKey(key)}`, MAX_LABEL))
  const left = BACK + labels[last]!.length * CHARACTER + 14
  const width = left + BOX.width + 2
  const height = last * BOX.apart + BOX.height + 2
  const arrows = cycle.map(({ edge, because }, index) => {
    const y = 1 + index * BOX.apart
    const isBack = index === last
    const path = isBack
      ? `M${left} ${y + BOX.height * 0.7}h${-BACK}V${1 + BOX.height * 0.3}h${BACK - 2}`
      : `M${left + BOX.width / 2} ${y + BOX.height}V${y + BOX.apart - 2}`
    const place = isBack
      ? `class="label back" x="${left - BACK - 8}" y="${height / 2 + 4}"`
      : `class="label" x="${left + BOX.width / 2 + 10}" y="${y + (BOX.height + BOX.apart) / 2 + 3}"`
    const title = `<title>${htmlText(cut(because, MAX_TITLE))}</title>`
    return `<path class="edge ${edge}" d="${path}" marker-end="url(#head)"/>
<text ${place}>${title}${htmlText(labels[index]!)}</text>`
  })
  const boxes = cycle.map(({ transaction }, index) =>
    boxOf(`T${index + 1}`, left, 1 + index * BOX.apart, shown(transaction)),
  )
  return `<svg class="cycle" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="group" aria-label="the cycle">
<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto"
markerUnits="userSpaceOnUse"><path d="M0 0.5L8 4L0 7.5z" fill="context-stroke"/></marker></defs>
${arrows.join('\n')}
${boxes.join('\n')}
</svg>`
}

function boxOf(name: string, x: number, y: number, { text, place }: Shown): string {
  const middle = x + BOX.width / 2
  return `<g data-operation="${place}" class="node" tabindex="0" role="button"><title>${htmlText(cut(text, MAX_TITLE))}</title>
<rect x="${x}" y="${y}" width="${BOX.width}" height="${BOX.height}" rx="6"/>
<text x="${middle}" y="${y + 18}" class="name">${name}</text>
<text x="${middle}" y="${y + 35}">${htmlText(short(text, MAX_TEXT))}</text></g>`
}

function short(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length - 1)}…` : text
}
