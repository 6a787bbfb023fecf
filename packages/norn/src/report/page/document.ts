/**
 * A report as one HTML file: its data, its script and its style. It opens from anywhere, asks for
 * nothing, and its policy (Content-Security-Policy) keeps everything else from being loaded or run.
 * While its search runs, it asks the server that it came from for changes, and nothing else.
 *
 * Invariant: text of a program or of a file stands in the page as data, and is shown as text.
 */

import { visibleJson } from '#shared/printable'
import { xmlText } from '../xml-text.ts'
import type { Live, PageData } from './data.ts'
import { STYLE } from './page-style.ts'
import type { PageScript } from './script.ts'

/** @param live of a page that is served while its search runs */
export function reportDocument(data: PageData, { text, hash }: PageScript, live?: Live): string {
  const asks = live === undefined ? '' : "; connect-src 'self'"
  const policy = `default-src 'none'; script-src '${hash}'; style-src 'unsafe-inline'; img-src data:${asks}`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<title>norn report: ${xmlText(data.project)}</title>
<style>
${STYLE}
</style>
</head>
<body>
<noscript>This report draws executions with a script, which this browser does not run.</noscript>
<script id="data" type="application/json">${scriptJson(data)}</script>
${live === undefined ? '' : `<script id="live" type="application/json">${scriptJson(live)}</script>\n`}<script>${text}</script>
</body>
</html>
`
}

/** JSON for a `script` element: `<` could begin the end of the element, or a comment. */
function scriptJson(value: unknown): string {
  return visibleJson(value).replaceAll('<', '\\u003c')
}
