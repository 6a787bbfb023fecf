/**
 * A plot of values over executions, as a self-contained SVG: one line a series, its interval a
 * translucent band.
 *
 * Invariant: the text is a function of what is handed in, byte for byte. It needs no font, script
 * or style sheet from elsewhere, and brings its own background, light or dark as the reader's
 * machine prefers, so that a dark page with a light preference stays legible too. Series differ in
 * colour (Okabe & Ito, "Color universal design", 2008, adjusted to each background) and in the
 * dashes of their lines, as one reader in twenty cannot tell all colours apart.
 */
import { type Axis, linearAxis, logAxis, markText } from './axis.ts'

/** One point of a line. */
export interface PlotPoint {
  readonly executions: number
  readonly value: number
  /** The interval, if there is one. */
  readonly low?: number
  readonly high?: number
}

export interface PlotSeries {
  readonly label: string
  /** Ascending in executions; at least one. */
  readonly points: readonly PlotPoint[]
}

export interface PlotOptions {
  readonly title: string
  /** Below the title: what the bands are, how many trials. */
  readonly subtitle?: string
  /** What the horizontal axis counts; "executions" unless set. */
  readonly xTitle?: string
  readonly yTitle: string
  /** Puts executions on a logarithmic axis. */
  readonly logX?: boolean
}

/** Series in one plot; more would not be distinguishable. */
export const MAX_SERIES = 6

const STYLES = [
  { light: '#0072b2', dark: '#56b4e9', dashes: '' },
  { light: '#d55e00', dark: '#ff8c42', dashes: '9 4' },
  { light: '#009e73', dark: '#2fcf9f', dashes: '3 3' },
  { light: '#a8437f', dark: '#e59ac6', dashes: '12 4 3 4' },
  { light: '#8a6d00', dark: '#f0e442', dashes: '6 3 2 3 2 3' },
  { light: '#444444', dark: '#cccccc', dashes: '1.5 3.5' },
] as const

const WIDTH = 760
const HEIGHT = 440
const FONT = 13
/**
 * A letter's width in these fonts is at most about this part of its height, so that no label is cut
 * off.
 */
const LETTER = 0.62
const LEGEND_SAMPLE = 34
const MAX_LABEL = 32

/** @throws where there is no series, where there are too many, or where a value is not finite */
export function plot(series: readonly PlotSeries[], options: PlotOptions): string {
  assertSeries(series)
  const points = series.flatMap((each) => each.points)
  const executions = points.map((point) => point.executions)
  const heights = points.flatMap(({ value, low, high }) => [value, low ?? value, high ?? value])
  const x = (options.logX ? logAxis : linearAxis)(Math.min(...executions), Math.max(...executions))
  // What is counted is shown from nothing on: an axis that begins higher makes small differences
  // look large.
  const y = linearAxis(Math.min(0, ...heights), Math.max(...heights))
  const frame = layOut(series, options, y)
  const right = (value: number) => round(frame.left + x.place(value) * frame.width)
  const down = (value: number) => round(frame.top + (1 - y.place(value)) * frame.height)
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}" role="img" aria-label="${escaped(options.title)}" font-family="system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif" font-size="${FONT}">`,
    `<title>${escaped(options.title)}</title>`,
    styleSheet(series.length),
    `<rect class="page" width="${WIDTH}" height="${HEIGHT}"/>`,
    ...titles(options, frame),
    ...marks(x, y, frame, right, down),
    ...series.map(({ points }, at) => band(points, at, right, down)),
    ...series.map(({ points }, at) => line(points, at, right, down)),
    ...legend(series, frame),
    '</svg>',
  ]
    .filter((part) => part !== '')
    .join('\n')}\n`
}

interface Frame {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

/** Room at the left for the marks, at the right for the legend. */
function layOut(series: readonly PlotSeries[], { subtitle }: PlotOptions, y: Axis): Frame {
  const letters = Math.max(...y.marks.map((mark) => markText(mark).length))
  const left = Math.ceil(34 + letters * FONT * LETTER)
  const labels = Math.max(...series.map(({ label }) => shortened(label).length))
  const legendWidth = Math.ceil(16 + LEGEND_SAMPLE + 8 + labels * FONT * LETTER + 8)
  const top = subtitle === undefined ? 48 : 66
  return { left, top, width: WIDTH - left - legendWidth, height: HEIGHT - top - 56 }
}

function styleSheet(count: number): string {
  const used = STYLES.slice(0, count)
  const colours = (theme: 'light' | 'dark') => used.map((style, at) => `.s${at}{--c:${style[theme]}}`).join('')
  return `<style>
svg{--page:#ffffff;--text:#1f2328;--faint:#59636e;--grid:#dfe3e8}
${colours('light')}
@media (prefers-color-scheme:dark){svg{--page:#0d1117;--text:#e6edf3;--faint:#9aa4af;--grid:#2a313a}${colours('dark')}}
.page{fill:var(--page)}text{fill:var(--text)}.faint{fill:var(--faint)}
.grid{stroke:var(--grid)}.axis{stroke:var(--faint)}
.line{fill:none;stroke:var(--c);stroke-width:2;stroke-linejoin:round}
.band{fill:var(--c);fill-opacity:.18}.dot{fill:var(--c)}
</style>`
}

function titles({ title, subtitle, xTitle = 'executions', yTitle }: PlotOptions, frame: Frame): string[] {
  const middle = round(frame.top + frame.height / 2)
  return [
    `<text x="16" y="28" font-size="16" font-weight="600">${escaped(title)}</text>`,
    subtitle === undefined ? '' : `<text class="faint" x="16" y="48">${escaped(subtitle)}</text>`,
    `<text x="${round(frame.left + frame.width / 2)}" y="${HEIGHT - 14}" text-anchor="middle">${escaped(xTitle)}</text>`,
    `<text transform="translate(18 ${middle}) rotate(-90)" text-anchor="middle">${escaped(yTitle)}</text>`,
  ]
}

type Place = (value: number) => number

function marks(x: Axis, y: Axis, { left, top, width, height }: Frame, right: Place, down: Place): string[] {
  const bottom = top + height
  return [
    ...y.marks.flatMap((mark) => [
      `<line class="grid" x1="${left}" x2="${left + width}" y1="${down(mark)}" y2="${down(mark)}"/>`,
      `<text class="faint" x="${left - 8}" y="${round(down(mark) + 4.5)}" text-anchor="end">${markText(mark)}</text>`,
    ]),
    ...x.marks.flatMap((mark) => [
      `<line class="axis" x1="${right(mark)}" x2="${right(mark)}" y1="${bottom}" y2="${bottom + 5}"/>`,
      `<text class="faint" x="${right(mark)}" y="${bottom + 20}" text-anchor="middle">${markText(mark)}</text>`,
    ]),
    `<line class="axis" x1="${left}" x2="${left + width}" y1="${bottom}" y2="${bottom}"/>`,
  ]
}

/** Only where each point has an interval. */
function band(points: readonly PlotPoint[], at: number, right: Place, down: Place): string {
  if (points.length < 2 || points.some(({ low, high }) => low === undefined || high === undefined)) return ''
  const above = points.map(({ executions, high }) => `${right(executions)},${down(high!)}`)
  const below = points.map(({ executions, low }) => `${right(executions)},${down(low!)}`).reverse()
  return `<polygon class="band s${at}" points="${[...above, ...below].join(' ')}"/>`
}

function line(points: readonly PlotPoint[], at: number, right: Place, down: Place): string {
  const places = points.map(({ executions, value }) => `${right(executions)},${down(value)}`)
  if (places.length > 1) return `<polyline class="line s${at}"${dashes(at)} points="${places.join(' ')}"/>`
  const [cx, cy] = places[0]!.split(',')
  return `<circle class="dot s${at}" cx="${cx}" cy="${cy}" r="3.5"/>`
}

/**
 * In the order in which the lines end, topmost first, so that the eye finds each beside its line.
 */
function legend(series: readonly PlotSeries[], { left, top, width }: Frame): string[] {
  const end = ({ points }: PlotSeries) => points.at(-1)!.value
  const ordered = [...series.entries()].sort(([i, a], [j, b]) => end(b) - end(a) || i - j)
  const from = left + width + 16
  return ordered.flatMap(([at, { label }], row) => {
    const y = top + 12 + row * 24
    return [
      `<line class="line s${at}"${dashes(at)} x1="${from}" x2="${from + LEGEND_SAMPLE}" y1="${y}" y2="${y}"/>`,
      `<text x="${from + LEGEND_SAMPLE + 8}" y="${y + 4.5}">${escaped(shortened(label))}</text>`,
    ]
  })
}

function dashes(at: number): string {
  const pattern = STYLES[at]!.dashes
  return pattern === '' ? '' : ` stroke-dasharray="${pattern}"`
}

function assertSeries(series: readonly PlotSeries[]): void {
  if (series.length === 0 || series.length > MAX_SERIES)
    throw new RangeError(`a plot has 1 to ${MAX_SERIES} series, not ${series.length}: make several`)
  for (const { label, points } of series) {
    if (points.length === 0) throw new RangeError(`the series "${label}" has no points`)
    for (const [at, { executions, value, low = value, high = value }] of points.entries()) {
      if (![executions, value, low, high].every(Number.isFinite) || low > high)
        throw new RangeError(`point ${at} of the series "${label}" has no place: ${JSON.stringify(points[at])}`)
      if (at > 0 && executions <= points[at - 1]!.executions)
        throw new RangeError(`point ${at} of the series "${label}" is not after the one in front of it`)
    }
  }
}

/** A hundredth of a unit is less than any screen shows. */
function round(value: number): number {
  return Math.round(value * 100) / 100
}

function shortened(label: string): string {
  const letters = [...label]
  return letters.length <= MAX_LABEL ? label : `${letters.slice(0, MAX_LABEL - 1).join('')}…`
}

function escaped(text: string): string {
  const named: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
  // XML 1.0 has no control characters, not even escaped ones.
  return text.replace(/[&<>"]/g, (letter) => named[letter]!).replace(/\p{Cc}/gu, ' ')
}
