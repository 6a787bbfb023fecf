/**
 * A checked history as a self-contained page: a line for each process with its operations, the order that
 * was found, what is wrong, and the cycle of an anomaly as a graph. Opens offline; its policy
 * (Content-Security-Policy) keeps everything else from being loaded or run.
 */

import { numberText, plural } from '#shared/text'
import type { History } from '../history/operation.ts'
import type { ObjectModel } from '../models/model.ts'
import { cycleSvg } from './cycle-svg.ts'
import { htmlText, scriptJson } from './html-text.ts'
import { cut, wordsOf } from './operation-words.ts'
import { type PageScript, pageScript } from './page-script.ts'
import { type CheckedResult, findingsOf, type PictureData, pictureData, shownOperations } from './picture-data.ts'
import { STYLE } from './picture-style.ts'

/**
 * The options of `historyPage`.
 *
 * @public
 */
export interface PageOptions {
  /** Default: `History`. */
  readonly title?: string
  /** What was checked, as it completes `The history is not ...`: `linearizable`. Default: `legal`. */
  readonly asked?: string
  /** Whose words the operations are shown in. Default: their input and output. */
  // biome-ignore lint/suspicious/noExplicitAny: a picture only asks for words.
  readonly model?: ObjectModel<any, any, any>
}

const VERDICTS = { ok: '', illegal: 'not ', unknown: 'unknown whether ' } as const

/** Anomalies that are told; a check may find hundreds. */
const MAX_ANOMALIES = 30
/** Characters of an explanation. */
const MAX_EXPLANATION = 8000

/**
 * Draws a history and what a check found: the text of an HTML file. Of a long history it has 20,000
 * operations, those around what is wrong, and says so.
 *
 * @param result of `checkLinearizable` or `checkIsolation`
 * @param history that was checked
 * @public
 */
export function historyPage(result: CheckedResult, history: History, options: PageOptions = {}): string {
  return pageWith(pageScript(), result, history, options)
}

/** The page with a script of its own. */
export function pageWith(script: PageScript, result: CheckedResult, history: History, options: PageOptions): string {
  const { title = 'History', asked = 'legal', model } = options
  const { operations } = history
  const words = wordsOf(model)
  const told = 'anomalies' in result ? { ...result, anomalies: result.anomalies.slice(0, MAX_ANOMALIES) } : result
  const shown = shownOperations(operations.length, findingsOf(told))
  const data = pictureData({ result: told, operations, words, shown })
  const places = new Map(shown.map((index, place) => [index, place]))
  const graph: Graph = (cycle) =>
    cycleSvg(cycle, (index) => ({ text: words.describe(operations[index]!), place: places.get(index)! }))
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src '${script.hash}'; style-src 'unsafe-inline'; img-src data:">
<meta name="viewport" content="width=device-width">
<link rel="icon" href="data:,">
<title>${htmlText(title)}</title>
<style>
${STYLE}
</style>
</head>
<body>
<header><h1>${htmlText(title)} <span class="${result.verdict}">${htmlText(VERDICTS[result.verdict] + asked)}</span></h1>
<div class="dim">${htmlText(sizeText(operations.length, data))}</div></header>
<section>${explanationOf(told, graph, 'anomalies' in result ? result.anomalies.length : 0)}</section>
<nav>
${data.findings.length === 0 ? '' : `<button data-do="wrong" title="w">${data.found.replace(/^w/, 'W')}</button>\n`}<button data-do="all" title="0">All</button>
<button data-do="in" title="+" aria-label="zoom in">+</button>
<button data-do="out" title="-" aria-label="zoom out">−</button>
<select id="filter" aria-label="which operations are shown"></select>
<input id="search" type="search" placeholder="find  (/)" aria-label="find operations">
<button data-do="next" title="n, back: p">Next</button> <span id="count" class="dim" role="status"></span>
<span class="dim keys">wheel or + − zooms · drag or arrows move · , . next operation</span>
</nav>
<div class="legend dim">${legendOf(data)}</div>
<main><canvas tabindex="0" role="img" aria-label="time lines of the processes"></canvas></main>
<div id="detail" class="dim" role="status">Point at an operation.</div>
<script id="data" type="application/json">${scriptJson(data)}</script>
<script>${script.text}</script>
</body>
</html>
`
}

type Graph = (cycle: Parameters<typeof cycleSvg>[0]) => string

function sizeText(count: number, { operations, lanes, findings, found }: PictureData): string {
  if (operations.length === count)
    return `${plural(count, 'operation')} by ${plural(lanes.length, 'process', 'processes')}`
  const which = findings.length === 0 ? 'the first' : `those around ${found}`
  return `${plural(count, 'operation')}; ${numberText(operations.length)} of them are shown here, ${which}`
}

function legendOf({ operations, findings, found }: PictureData): string {
  const has = (outcome: string) => operations.some((each) => each.outcome === outcome)
  const items: readonly (readonly [mark: string, meaning: string, isShown: boolean])[] = [
    ['', 'operation', true],
    ['failed', 'failed: no effect', has('fail')],
    ['open', 'outcome unknown: an effect at any time, or none', has('unknown')],
    ['wrong', `part of ${found}`, findings.length > 0],
    ['point', 'where it takes effect in the order found', operations.some(({ place }) => place !== undefined)],
  ]
  return items
    .filter(([, , isShown]) => isShown)
    .map(([mark, meaning]) => `<span><i class="${mark}"></i>${meaning}</span>`)
    .join('\n')
}

/** @param found anomalies, of which some may not be told */
function explanationOf(result: CheckedResult, graph: Graph, found: number): string {
  if (!('anomalies' in result)) {
    if (result.verdict === 'illegal') return textOf(result.explanation)
    if (result.verdict === 'unknown') return textOf(result.reason)
    const hasOrder = result.linearizations.some((order) => order.length > 0)
    return textOf(hasOrder ? '' : 'No order is shown: the history was decided without one.')
  }
  const { reason, weakest, strongest, anomalies } = result
  const articles = anomalies.map(({ isForbidden, cycle, explanation }, index) => {
    const show = anomalies.length > 1 ? `<button data-finding="${index}">Show</button>` : ''
    const drawn = cycle === undefined ? '' : graph(cycle)
    const allowed = isForbidden ? '' : textOf('Allowed by the consistency that was asked for:')
    return `<article>${drawn}<div>${show}${allowed}${textOf(explanation)}</div></article>`
  })
  return [
    reason === undefined ? '' : textOf(reason),
    weakest.length === 0 ? '' : textOf(`Weakest ruled out: ${weakest.join(', ')}`),
    strongest.length === 0 ? '' : textOf(`Strongest not ruled out: ${strongest.join(', ')}`),
    ...articles,
    found > anomalies.length ? textOf(`${plural(found - anomalies.length, 'more anomaly', 'more anomalies')}`) : '',
  ].join('\n')
}

function textOf(text: string): string {
  return text === '' ? '' : `<pre>${htmlText(cut(text, MAX_EXPLANATION))}</pre>`
}
