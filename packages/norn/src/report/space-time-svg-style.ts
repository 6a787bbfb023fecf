/**
 * How executions look as an SVG: space-time-svg.ts and interleaving-svg.ts have the page, its
 * colours, the ends of arrows and the legend from here.
 */
import { xmlText } from './xml-text.ts'

/** Characters of a title at most. */
export const MAX_HEAD = 140

/** Ends of arrows. */
const DEFINITIONS = [
  '<defs>',
  '<marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto-start-reverse" markerUnits="userSpaceOnUse"><path d="M0 0.5L8 4L0 7.5z" fill="context-stroke"/></marker>',
  '<marker id="cross" viewBox="-6 -6 12 12" markerWidth="12" markerHeight="12" markerUnits="userSpaceOnUse"><path d="M-5 -5L5 5M-5 5L5 -5" stroke="context-stroke" stroke-width="2.2"/></marker>',
  '<marker id="plus" viewBox="-6 -6 12 12" markerWidth="12" markerHeight="12" markerUnits="userSpaceOnUse"><path d="M-5 0H5M0 -5V5" stroke="context-stroke" stroke-width="2.2"/></marker>',
  '</defs>',
].join('')

/** Colours, light and dark, and strokes. */
const STYLE = `
svg{--paper:#fff;--ink:#1f2328;--dim:#6e7781;--life:#afb8c1;--arrow:#0969da;--late:#9a6700;--bad:#cf222e;--band:#fff8c5;--worse:#ffebe9;--good:#1a7f37;color-scheme:light dark}
@media(prefers-color-scheme:dark){svg{--paper:#0d1117;--ink:#e6edf3;--dim:#8d96a0;--life:#484f58;--arrow:#58a6ff;--late:#e3b341;--bad:#ff7b72;--band:#2e2a1f;--worse:#3b1d20;--good:#56d364}}
text{font:12px ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace;fill:var(--ink);white-space:pre}
.title{font-size:15px;font-weight:600}.name{font-weight:600}.middle{text-anchor:middle}.right{text-anchor:end}
.again{font-size:10px;fill:var(--dim)}text.dim{fill:var(--dim)}text.late,text.departs{fill:var(--late)}text.bad{fill:var(--bad)}
.paper{fill:var(--paper)}.band{fill:var(--paper)}.band.departs{fill:var(--band)}.band.bad{fill:var(--worse)}
.life{stroke:var(--life);stroke-width:2}
.arrow,.reach,.timer path{fill:none}.arrow{stroke:var(--arrow);stroke-width:1.5}.arrow.late{stroke:var(--late);stroke-width:2}
.arrow.lost{stroke:var(--bad)}.arrow.twice{stroke:var(--late);stroke-dasharray:3 4}.arrow.open{stroke:var(--dim);stroke-dasharray:2 3}
.reach{stroke:transparent;stroke-width:9}
.dot{fill:var(--arrow)}.dot.late{fill:var(--late)}
.bar{stroke:var(--bad);stroke-width:5}.bar.up{stroke:var(--good)}
.timer circle{fill:var(--paper);stroke:var(--ink);stroke-width:1.5}.timer path{stroke:var(--ink);stroke-width:1.5}
.timer.late circle,.timer.late path{stroke:var(--late)}
.request{fill:var(--paper);stroke:var(--ink);stroke-width:1.5}.request.late{stroke:var(--late)}
.rule{stroke:var(--bad);stroke-width:2;stroke-dasharray:7 4}.rule.heal{stroke:var(--good)}.rule.calm{stroke:var(--dim);stroke-dasharray:2 4}
.badge{fill:var(--paper);stroke:var(--bad);stroke-width:1.5}.group{font-weight:600}
.fold{stroke:var(--paper);stroke-width:9;stroke-dasharray:none}
`.trim()

/**
 * The text of an SVG.
 *
 * @param title its accessible name
 * @param drawn the elements on the page
 */
export function svgPage(width: number, height: number, title: string, drawn: readonly string[]): string {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">`,
    `<title>${xmlText(title, MAX_HEAD)}</title>`,
    `<style>${STYLE}</style>`,
    DEFINITIONS,
    `<rect class="paper" width="${width}" height="${height}"/>`,
    ...drawn,
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
