/**
 * The execution of a program as a self-contained SVG: the lines of its diagram (diagram.ts). Over
 * connections each message is an arrow from the sender's line to the receiver's.
 *
 * Invariants: same execution, same bytes; no script and nothing from elsewhere; text of the program
 * never becomes markup; bounded, as the diagram is. Colours follow the reader's preference.
 */
import { cut } from '../contract/text.ts'
import type { Traffic } from '../world/network/traffic.ts'
import { ChainColumns } from './chain-columns.ts'
import { type Moment, type MomentsInput, momentsOf } from './moments.ts'
import { PartyColumns, type PlacedStep } from './party-columns.ts'
import { shownRows } from './shown-moments.ts'
import { MAX_HEAD, svgPage } from './space-time-svg-style.ts'
import { delayText, milliseconds } from './step-text.ts'
import { partiesText, serversOf } from './strands.ts'
import { xmlText } from './xml-text.ts'

/** Characters. */
const MAX_TEXT = 90

/** Pixels. */
const ROW = 24
const TOP = 84
const LEFT = 110
const COLUMN = 14
/** From chain to chain, in columns. */
const CHAIN = 2
const CHARACTER = 7.3
const MARGIN = 28
const SMALL = { columns: 150, page: 760 } as const

export interface InterleavingPicture extends MomentsInput {
  /** The property's name. */
  readonly title: string
  /** What went wrong, in a line. */
  readonly failure?: string | undefined
}

export function interleavingSvg({ title, failure, ...input }: InterleavingPicture): string {
  const moments = momentsOf(input)
  const columns = input.traffic === undefined ? byChain(moments) : byParty(moments, input.traffic)
  const lineOf = (index: number) => {
    const { text, source, difference = '' } = moments[index]!
    return `${difference}${columns.cells(index)} ${text} ${source}`
  }
  const rows = shownRows(moments, lineOf, input.all)
  const rowOf = new Map(rows.flatMap((row, index) => (typeof row === 'number' ? [[row, index] as const] : [])))
  const y = (row: number) => TOP + ROW * (row + 1)
  // Lines of life are drawn from the nearest row that is shown.
  const yOf = (moment: number) =>
    y(rowOf.get(moment) ?? rows.findIndex((row) => typeof row !== 'number' && row.last >= moment))
  const x = (at: number) => LEFT + MARGIN + at * COLUMN
  const fromX = (moment: number) => {
    const from = columns.from(moment)
    return from === undefined ? undefined : x(from)
  }
  const right =
    x(input.traffic === undefined ? columns.width : Math.max(columns.width, SMALL.columns / COLUMN)) + MARGIN
  const texts = moments.map(({ text, delayUs }) =>
    cut(delayUs > 0 ? `${text}  (delayed by ${delayText(delayUs)})` : text, MAX_TEXT),
  )
  const isIn = (moment: number) => rowOf.has(moment)
  const longest = (of: readonly string[]) =>
    CHARACTER * Math.max(0, ...of.map((each, moment) => (isIn(moment) ? each.length : 0)))
  const sources = right + longest(texts) + MARGIN
  const end = y(rows.length)
  const below = [
    ...partiesText(input),
    ...(columns.heads.length > 0 && input.traffic === undefined
      ? ['A, B, …: one task each, steps that follow from one another']
      : []),
    '◆ delayed   ▶ where the nearest passing execution goes another way   ms: virtual time',
  ]
  const [width, height] = [
    Math.ceil(Math.max(SMALL.page, sources + longest(moments.map(({ source }) => source)) + MARGIN)),
    end + 24 + 18 * below.length,
  ]

  const lives = columns.lives.map(({ at, first, last }) => {
    return `<path class="life" d="M${x(at)} ${yOf(first)}V${yOf(last)}"/>`
  })
  const drawn = rows.map((row, index) => {
    const middle = y(index)
    if (typeof row !== 'number') return words(right, middle + 4, row.text, 'dim')
    const moment = moments[row]!
    const { atUs, delayUs, difference, source, mark } = moment
    const emphasis =
      difference === 'parting' || delayUs > 0
        ? 'departs'
        : mark === '✗' || (row === moments.length - 1 && failure !== undefined)
          ? 'bad'
          : ''
    const band = `<rect class="band ${emphasis}" y="${middle - ROW / 2}" width="100%" height="${ROW}"/>`
    const gutter = difference === 'parting' ? '▶' : difference === 'added' ? '+' : ''
    return {
      band,
      text: [
        words(MARGIN - 8, middle + 4, gutter, 'late'),
        words(LEFT - 4, middle + 4, atUs === undefined ? '…' : milliseconds(atUs), 'dim right'),
        words(right, middle + 4, texts[row]!, emphasis),
        words(sources, middle + 4, source, 'dim'),
        markOf(moment, x(columns.at(row)), fromX(row), middle),
      ].join(''),
    }
  })
  return svgPage(width, height, title, [
    words(MARGIN, 30, cut(title, MAX_HEAD), 'title'),
    ...(failure === undefined ? [] : [words(MARGIN, 50, cut(failure, MAX_HEAD), 'bad')]),
    ...drawn.flatMap((row) => (typeof row === 'string' ? [] : [row.band])),
    words(LEFT - 4, TOP, 'ms', 'dim right'),
    ...columns.heads.map(({ at, name }) => words(x(at) - 5, TOP, name, 'name')),
    ...lives,
    ...drawn.map((row) => (typeof row === 'string' ? row : row.text)),
    ...below.map((line, index) => words(MARGIN, end + 18 * (index + 1), line, 'dim')),
  ])
}

/** Where things stand, in columns. */
interface Columns {
  readonly width: number
  readonly heads: readonly { readonly at: number; readonly name: string }[]
  readonly lives: readonly { readonly at: number; readonly first: number; readonly last: number }[]
  at(moment: number): number
  /** Where the message of a moment comes from, if it has one. */
  from(moment: number): number | undefined
  /** What a row looks like, to find those that repeat. */
  cells(moment: number): string
}

/** A column for each causal chain; there is room for a name of one letter. */
function byChain(moments: readonly Moment[]): Columns {
  const columns = new ChainColumns(moments)
  return {
    width: columns.width * CHAIN,
    heads: columns.letters.map((name, column) => ({ at: column * CHAIN, name })),
    lives: columns.lives.map(({ first, last }, column) => ({ at: column * CHAIN, first, last })),
    at: (moment) => columns.at(moments[moment]!) * CHAIN,
    from: () => undefined,
    cells: (moment) => columns.cells(moment, moments[moment]!, moments[moment]!.mark),
  }
}

function byParty(moments: readonly Moment[], traffic: Traffic): Columns {
  const placed = moments as readonly (Moment & PlacedStep)[]
  const columns = new PartyColumns(placed, serversOf(traffic))
  return {
    width: columns.width,
    heads: columns.parties.map((party) => ({ at: columns.startOf(party), name: columns.nameOf(party) })),
    lives: [...columns.lives].map(({ strand, first, last }) => ({ at: columns.at(strand), first, last })),
    at: (moment) => columns.at(placed[moment]!.strand),
    from(moment) {
      const { from } = placed[moment]!
      return from && columns.at(from)
    },
    cells: (moment) => columns.cells(moment, placed[moment]!, placed[moment]!.mark),
  }
}

/** The arrow of a message, or the mark of another step. */
function markOf({ mark, delayUs }: Moment, own: number, start: number | undefined, y: number): string {
  const late = delayUs > 0 ? ' late' : ''
  if (start === undefined) {
    return isPlain(mark)
      ? `<circle class="dot${late}" cx="${own}" cy="${y}" r="4"/>`
      : words(own, y + 4, mark, `middle${late}`)
  }
  const way = Math.sign(own - start)
  const path = way === 0 ? `M${own} ${y - 6}c18 0 18 10 5 10` : `M${start} ${y}H${own - way * 2}`
  return `<path class="arrow${late}" d="${path}" marker-end="url(#head${late.trim() && '-late'})"/><circle class="dot${late}" cx="${start}" cy="${y}" r="2.5"/>`
}

/** Marks of what simply happens. */
const isPlain = (mark: string) => mark === '●' || mark === '•' || mark === '◆'

function words(x: number, y: number, text: string, style: string): string {
  return text === '' ? '' : `<text class="${style}" x="${Math.round(x)}" y="${y}">${xmlText(text)}</text>`
}
