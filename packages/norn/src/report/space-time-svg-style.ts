/**
 * How executions look as an SVG: space-time-svg.ts and interleaving-svg.ts have the page, its
 * colours, the ends of arrows and the legend from here.
 *
 * Colours stand in attributes of the elements, which every renderer knows; a style sheet has only the
 * dark ones, for renderers that know what the reader prefers.
 */
import { xmlText } from './xml-text.ts'

/** Characters of a title at most. */
export const MAX_HEAD = 140

/** Light and dark. */
const COLOURS = {
  paper: ['#fff', '#0d1117'],
  ink: ['#1f2328', '#e6edf3'],
  dim: ['#6e7781', '#8d96a0'],
  life: ['#afb8c1', '#484f58'],
  arrow: ['#0969da', '#58a6ff'],
  late: ['#9a6700', '#e3b341'],
  bad: ['#cf222e', '#ff7b72'],
  band: ['#fff8c5', '#2e2a1f'],
  worse: ['#ffebe9', '#3b1d20'],
  good: ['#1a7f37', '#56d364'],
} as const satisfies Readonly<Record<string, readonly [light: string, dark: string]>>

type Colour = keyof typeof COLOURS

interface Paint {
  readonly fill?: Colour | 'none'
  readonly stroke?: Colour | 'none'
  /** Other presentation attributes. */
  readonly also?: string
  /** What further classes of the element change. */
  readonly variants?: Readonly<Record<string, Paint>>
}

/** By the first class of an element; of texts by their kind, with all classes as variants. */
const PAINTS: Readonly<Record<string, Paint>> = {
  text: {
    fill: 'ink',
    variants: {
      title: { also: 'font-size="15" font-weight="600"' },
      name: { also: 'font-weight="600"' },
      group: { also: 'font-weight="600"' },
      middle: { also: 'text-anchor="middle"' },
      right: { also: 'text-anchor="end"' },
      again: { fill: 'dim', also: 'font-size="10"' },
      dim: { fill: 'dim' },
      late: { fill: 'late' },
      departs: { fill: 'late' },
      bad: { fill: 'bad' },
    },
  },
  paper: { fill: 'paper' },
  band: { fill: 'paper', variants: { departs: { fill: 'band' }, bad: { fill: 'worse' } } },
  life: { fill: 'none', stroke: 'life', also: 'stroke-width="2"' },
  arrow: {
    fill: 'none',
    stroke: 'arrow',
    also: 'stroke-width="1.5"',
    variants: {
      late: { stroke: 'late' },
      lost: { stroke: 'bad' },
      twice: { stroke: 'late', also: 'stroke-dasharray="3 4"' },
      open: { stroke: 'dim', also: 'stroke-dasharray="2 3"' },
    },
  },
  // Wider than its arrow, for the pointer.
  reach: { fill: 'none', stroke: 'none', also: 'stroke-width="9" pointer-events="stroke"' },
  head: { fill: 'arrow', variants: { late: { fill: 'late' } } },
  cross: { fill: 'none', stroke: 'bad', also: 'stroke-width="2.2"' },
  plus: { fill: 'none', stroke: 'late', also: 'stroke-width="2.2"' },
  dot: { fill: 'arrow', variants: { late: { fill: 'late' } } },
  bar: { stroke: 'bad', also: 'stroke-width="5"', variants: { up: { stroke: 'good' } } },
  timer: { fill: 'paper', stroke: 'ink', also: 'stroke-width="1.5"', variants: { late: { stroke: 'late' } } },
  request: { fill: 'paper', stroke: 'ink', also: 'stroke-width="1.5"', variants: { late: { stroke: 'late' } } },
  rule: {
    stroke: 'bad',
    also: 'stroke-width="2"',
    variants: {
      partition: { also: 'stroke-dasharray="7 4"' },
      heal: { stroke: 'good', also: 'stroke-dasharray="7 4"' },
      calm: { stroke: 'dim', also: 'stroke-dasharray="2 4"' },
    },
  },
  badge: { fill: 'paper', stroke: 'bad', also: 'stroke-width="1.5"' },
  fold: { stroke: 'paper', also: 'stroke-width="9"' },
}

/** An opening tag with a class; no attribute holds a bracket. */
const CLASSED = /<(\w+)((?: [\w:-]+="[^"<>]*")*? class="([^"<>]*)"(?: [\w:-]+="[^"<>]*")*)(\/?)>/g

/** Gives elements the presentation attributes of their classes. */
function painted(markup: string): string {
  return markup.replace(CLASSED, (_, element: string, attributes: string, classes: string, end: string) => {
    return `<${element}${attributes}${attributesOf(element, classes)}${end}>`
  })
}

function attributesOf(element: string, classes: string): string {
  const named = classes.split(' ')
  const [base = '', ...variants] = element === 'text' ? ['text', ...named] : named
  const paint = PAINTS[base]
  if (paint === undefined) return ''
  const all = [paint, ...variants.flatMap((name) => paint.variants?.[name] ?? [])]
  const last = (of: (paint: Paint) => Colour | 'none' | undefined) => all.map(of).findLast((each) => each !== undefined)
  const colour = (name: Colour | 'none' | undefined) =>
    name === undefined || name === 'none' ? name : COLOURS[name][0]
  const [fill, stroke] = [colour(last((each) => each.fill)), colour(last((each) => each.stroke))]
  return [
    ...(fill === undefined ? [] : [` fill="${fill}"`]),
    ...(stroke === undefined ? [] : [` stroke="${stroke}"`]),
    ...all.flatMap(({ also }) => (also === undefined ? [] : [` ${also}`])),
  ].join('')
}

/** The dark colours, for renderers that know which the reader prefers: others show the light ones. */
function darkStyle(): string {
  const rules = Object.entries(PAINTS).flatMap(([base, paint]) => {
    const selector = base === 'text' ? 'text' : `.${base}`
    const variants = Object.entries(paint.variants ?? {}).map(([name, each]) => ruleOf(`${selector}.${name}`, each))
    return [ruleOf(selector, paint), ...variants]
  })
  return `@media(prefers-color-scheme:dark){${rules.join('')}}`
}

function ruleOf(selector: string, { fill, stroke }: Paint): string {
  const set = (name: string, colour: Colour | 'none' | undefined) =>
    colour === undefined || colour === 'none' ? [] : [`${name}:${COLOURS[colour][1]}`]
  const declarations = [...set('fill', fill), ...set('stroke', stroke)]
  return declarations.length === 0 ? '' : `${selector}{${declarations.join(';')}}`
}

const FONT = "ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace"

/** Ends of arrows: a renderer may not know how to colour them as their arrows. */
const DEFINITIONS = [
  '<defs>',
  ...['', ' late'].map(
    (late) =>
      `<marker id="head${late.trim() && '-late'}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto" markerUnits="userSpaceOnUse"><path class="head${late}" d="M0 0.5L8 4L0 7.5z"/></marker>`,
  ),
  '<marker id="cross" viewBox="-6 -6 12 12" markerWidth="12" markerHeight="12" markerUnits="userSpaceOnUse"><path class="cross" d="M-5 -5L5 5M-5 5L5 -5"/></marker>',
  '<marker id="plus" viewBox="-6 -6 12 12" markerWidth="12" markerHeight="12" markerUnits="userSpaceOnUse"><path class="plus" d="M-5 0H5M0 -5V5"/></marker>',
  '</defs>',
].join('')

/**
 * The text of an SVG.
 *
 * @param title its accessible name
 * @param drawn the elements on the page
 */
export function svgPage(width: number, height: number, title: string, drawn: readonly string[]): string {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="${FONT}" font-size="12" xml:space="preserve" role="img">`,
    `<title>${xmlText(title, MAX_HEAD)}</title>`,
    `<style>text{white-space:pre}${darkStyle()}</style>`,
    painted(DEFINITIONS),
    painted(`<rect class="paper" width="${width}" height="${height}"/>`),
    ...drawn.map(painted),
    '</svg>',
    '',
  ].join('\n')
}

/** Pixels that the legend needs. */
export const LEGEND_WIDTH = 1320

/** What the marks mean, in one line that begins at a place. */
export function legendOf(left: number, y: number): string[] {
  const items: [width: number, mark: string, meaning: string][] = [
    [86, `<path class="arrow" d="M0 ${y - 4}h22" marker-end="url(#head)"/>`, 'message'],
    [64, `<path class="arrow lost" d="M0 ${y - 4}h18" marker-end="url(#cross)"/>`, 'lost'],
    [100, `<path class="arrow twice" d="M0 ${y - 4}h18" marker-end="url(#plus)"/>`, 'duplicated'],
    [100, `<path class="arrow open" d="M0 ${y - 8}l20 8"/>`, 'under way'],
    [64, `<g class="timer"><circle cx="14" cy="${y - 4}" r="6"/><path d="M14 ${y - 8}v4h3"/></g>`, 'timer'],
    [80, `<path class="request" d="M14 ${y - 11}l7 7l-7 7l-7 -7z"/>`, 'request'],
    [64, `<path class="bar" d="M2 ${y - 4}h20"/>`, 'crash'],
    [78, `<path class="bar up" d="M2 ${y - 4}h20"/>`, 'restart'],
    [0, `<text class="late" x="10" y="${y}">◆</text>`, 'departs from the default schedule'],
  ]
  let x = left
  return items.map(([width, mark, meaning]) => {
    const item = `<g transform="translate(${x} 0)">${mark}<text class="dim" x="30" y="${y}">${meaning}</text></g>`
    x += width + 30
    return item
  })
}
