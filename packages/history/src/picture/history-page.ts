/**
 * A checked history as a self-contained page: a line for each process with its operations, the order that
 * was found, what is wrong, and the cycle of an anomaly as a graph. Opens offline; nothing comes from
 * elsewhere.
 */
import type { History, Operation } from '../history/operation.ts'
import type { ObjectModel } from '../models/model.ts'
import { cycleSvg } from './cycle-svg.ts'
import { htmlText, scriptJson } from './html-text.ts'
import { type CheckedResult, type Describe, describePlainly, pictureData } from './picture-data.ts'
import { SCRIPT } from './picture-script.ts'
import { STYLE } from './picture-style.ts'

export interface PageOptions {
  /** Default: `History`. */
  readonly title?: string
  /** Whose words the operations are shown in. Default: their input and output. */
  // biome-ignore lint/suspicious/noExplicitAny: a picture only asks for words.
  readonly model?: ObjectModel<any, any, any>
}

/**
 * The text of an HTML file.
 *
 * @param result of `checkLinearizable` or `checkIsolation`
 * @param history that was checked
 */
export function historyPage(result: CheckedResult, history: History, options: PageOptions = {}): string {
  const { title = 'History', model } = options
  const describe: Describe = model?.describe === undefined ? describePlainly : (each) => wordsOf(model, each)
  const { operations } = history
  const data = pictureData(result, operations, describe)
  const goal = data.focus === undefined ? '' : '<button data-do="focus" title="w">What is wrong</button>\n'
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<link rel="icon" href="data:,">
<title>${htmlText(title)}</title>
<style>
${STYLE}
</style>
</head>
<body>
<header><h1>${htmlText(title)} <span class="${result.verdict}">${result.verdict}</span></h1>
<div class="dim">${operations.length} operations by ${data.lanes.length} processes</div></header>
<section>${explanationOf(result, (index) => describe(operations[index]!))}</section>
<nav>
${goal}<button data-do="all" title="0">All</button>
<button data-do="in" title="+" aria-label="zoom in">+</button>
<button data-do="out" title="-" aria-label="zoom out">−</button>
<input id="search" type="search" placeholder="search  (/)" aria-label="search operations">
<button data-do="next" title="n">Next</button> <span id="count" class="dim"></span>
<span class="dim">wheel or + − zooms, drag or arrows move · dashed: outcome unknown, dotted: failed · green: the order found</span>
</nav>
<main><canvas tabindex="0" aria-label="time lines of the processes"></canvas></main>
<div id="detail" class="dim">Point at an operation.</div>
<script id="data" type="application/json">${scriptJson(data)}</script>
<script>
${SCRIPT}
</script>
</body>
</html>
`
}

function wordsOf(model: ObjectModel, { input, output, outcome }: Operation): string {
  return model.describe!(input, outcome === 'ok' ? output : undefined, outcome === 'ok')
}

function explanationOf(result: CheckedResult, words: (index: number) => string): string {
  if (!('anomalies' in result)) {
    if (result.verdict === 'ok') return ''
    return `<pre>${htmlText(result.verdict === 'illegal' ? result.explanation : result.reason)}</pre>`
  }
  const reason = result.reason === undefined ? '' : `<pre>${htmlText(result.reason)}</pre>`
  const broken = result.weakest.length === 0 ? '' : `<pre>Not ${htmlText(result.weakest.join(', not '))}.</pre>`
  const anomalies = result.anomalies.map(({ cycle, explanation }) => {
    const graph = cycle === undefined ? '' : cycleSvg(cycle, words)
    return `${graph}<pre>${htmlText(explanation)}</pre>`
  })
  return [reason, broken, ...anomalies].join('\n')
}
