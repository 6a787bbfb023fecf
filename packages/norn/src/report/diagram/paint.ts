/**
 * How the shapes of a diagram look: colours, widths and dashes, by class.
 *
 * In an SVG file they stand in attributes of the elements, which every renderer knows, and a style sheet
 * has only the dark colours, for renderers that know what the reader prefers. On a page all are in its
 * style sheet.
 */
import type { Shape } from './shape.ts'

/** Light and dark. */
const COLOURS = {
  paper: ['#fff', '#0d1117'],
  ink: ['#1f2328', '#e6edf3'],
  dim: ['#59636e', '#9198a1'],
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
  readonly also?: Readonly<Record<string, string | number>>
  /** What further classes of the element change. */
  readonly variants?: Readonly<Record<string, Paint>>
}

const OUTLINED: Paint = {
  fill: 'paper',
  stroke: 'arrow',
  also: { 'stroke-width': 1.5 },
  variants: { late: { stroke: 'late' } },
}

/** By the first class of an element; of texts by their kind, with all classes as variants. */
const PAINTS: Readonly<Record<string, Paint>> = {
  text: {
    fill: 'ink',
    variants: {
      title: { also: { 'font-size': 15, 'font-weight': 600 } },
      name: { also: { 'font-weight': 600 } },
      group: { also: { 'font-weight': 600 } },
      middle: { also: { 'text-anchor': 'middle' } },
      right: { also: { 'text-anchor': 'end' } },
      again: { fill: 'dim', also: { 'font-size': 10 } },
      dim: { fill: 'dim' },
      late: { fill: 'late' },
      departs: { fill: 'late' },
      bad: { fill: 'bad' },
    },
  },
  paper: { fill: 'paper' },
  band: { fill: 'paper', variants: { departs: { fill: 'band' }, bad: { fill: 'worse' } } },
  life: { fill: 'none', stroke: 'life', also: { 'stroke-width': 2 } },
  arrow: {
    fill: 'none',
    stroke: 'arrow',
    also: { 'stroke-width': 1.5 },
    variants: {
      late: { stroke: 'late' },
      lost: { stroke: 'bad' },
      twice: { stroke: 'late', also: { 'stroke-dasharray': '3 4' } },
      open: { stroke: 'dim', also: { 'stroke-dasharray': '2 3' } },
    },
  },
  // Wider than its arrow, for the pointer.
  reach: { fill: 'none', stroke: 'none', also: { 'stroke-width': 9, 'pointer-events': 'stroke' } },
  head: { fill: 'arrow', variants: { late: { fill: 'late' } } },
  cross: { fill: 'none', stroke: 'bad', also: { 'stroke-width': 2.2 } },
  plus: { fill: 'none', stroke: 'late', also: { 'stroke-width': 2.2 } },
  dot: { fill: 'arrow', variants: { late: { fill: 'late' } } },
  bar: { stroke: 'bad', also: { 'stroke-width': 5 }, variants: { up: { stroke: 'good' } } },
  timer: OUTLINED,
  request: OUTLINED,
  ring: OUTLINED,
  rule: {
    stroke: 'bad',
    also: { 'stroke-width': 2 },
    variants: {
      partition: { also: { 'stroke-dasharray': '7 4' } },
      heal: { stroke: 'good', also: { 'stroke-dasharray': '7 4' } },
      calm: { stroke: 'dim', also: { 'stroke-dasharray': '2 4' } },
    },
  },
  badge: { fill: 'paper', stroke: 'bad', also: { 'stroke-width': 1.5 } },
  fold: { stroke: 'paper', also: { 'stroke-width': 9 } },
}

/** The presentation attributes of a shape: those of its classes, each over those before. */
export function paintOf({ tag, attributes }: Shape): Shape['attributes'] {
  const named = String(attributes.class ?? '').split(' ')
  const [base = '', ...variants] = tag === 'text' ? ['text', ...named] : named
  const paint = PAINTS[base]
  if (paint === undefined) return {}
  const all = [paint, ...variants.flatMap((name) => paint.variants?.[name] ?? [])]
  const light = (colour: Colour | 'none') => (colour === 'none' ? colour : COLOURS[colour][0])
  return Object.assign({}, ...all.map((each) => ({ ...coloured(each, light), ...each.also })))
}

/** The dark colours, for renderers that know which the reader prefers: others show the light ones. */
export function darkStyle(): string {
  const dark = (colour: Colour | 'none') => (colour === 'none' ? undefined : COLOURS[colour][1])
  return `@media(prefers-color-scheme:dark){${rulesOf('', (paint) => coloured(paint, dark))}}`
}

/** All of it as rules of a page, whose colours are variables. @param within a selector */
export function pageRules(within: string): string {
  const variable = (colour: Colour | 'none') => (colour === 'none' ? colour : `var(--${colour})`)
  return rulesOf(`${within} `, (paint) => ({ ...coloured(paint, variable), ...paint.also }))
}

/** The variables of a page's colours. @param shade 0 for the light ones, 1 for the dark ones */
export function colourVariables(shade: 0 | 1): string {
  return Object.entries(COLOURS)
    .map(([name, shades]) => `--${name}:${shades[shade]}`)
    .join(';')
}

function coloured(
  { fill, stroke }: Paint,
  of: (colour: Colour | 'none') => string | undefined,
): Record<string, string> {
  const [filled, stroked] = [fill && of(fill), stroke && of(stroke)]
  return { ...(filled === undefined ? {} : { fill: filled }), ...(stroked === undefined ? {} : { stroke: stroked }) }
}

function rulesOf(within: string, of: (paint: Paint) => Shape['attributes']): string {
  const rule = (selector: string, paint: Paint) => {
    const declarations = Object.entries(of(paint)).map(([name, value]) => `${name}:${value}`)
    return declarations.length === 0 ? '' : `${within}${selector}{${declarations.join(';')}}`
  }
  const rules = Object.entries(PAINTS).flatMap(([base, paint]) => {
    const selector = base === 'text' ? base : `.${base}`
    const variants = Object.entries(paint.variants ?? {}).map(([name, each]) => rule(`${selector}.${name}`, each))
    return [rule(selector, paint), ...variants]
  })
  return rules.join('')
}
