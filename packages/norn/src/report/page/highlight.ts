/**
 * What the words of a line of source are, for a page to colour. The parser recovers from errors, so a
 * file that is being edited keeps its colours.
 *
 * Loaded on demand (`await import`): no search needs it.
 */
import { highlightTree, tagHighlighter, tags } from '@lezer/highlight'
import { parser } from '@lezer/javascript'
import type { Run, RunKind } from './data.ts'
import type { Highlight } from './source-texts.ts'

const WORDS = tagHighlighter(
  (
    [
      ['k', tags.keyword],
      ['s', tags.string],
      ['s', tags.special(tags.string)],
      ['s', tags.regexp],
      ['c', tags.comment],
      ['n', tags.number],
      ['n', tags.bool],
      ['n', tags.null],
      ['t', tags.typeName],
      ['t', tags.className],
      ['f', tags.function(tags.variableName)],
      ['f', tags.function(tags.propertyName)],
      ['f', tags.function(tags.definition(tags.variableName))],
      ['f', tags.function(tags.definition(tags.propertyName))],
    ] as const satisfies readonly (readonly [RunKind, unknown])[]
  ).map(([kind, tag]) => ({ tag, class: kind })),
)

/** By the end of a file's name; others stay plain. */
const DIALECTS: Readonly<Record<string, string>> = {
  ...{ ts: 'ts', mts: 'ts', cts: 'ts', tsx: 'ts jsx' },
  ...{ js: 'jsx', mjs: 'jsx', cjs: 'jsx', jsx: 'jsx' },
}

/** Longer files stay plain, in characters: they are bundles, which would take seconds. */
const MAX_TEXT = 500_000

/** The runs of each line, from line 1. */
export const highlight: Highlight = (file, text) => {
  const ending = file.slice(file.lastIndexOf('.') + 1)
  if (!Object.hasOwn(DIALECTS, ending) || text.length > MAX_TEXT) return []
  const tree = parser.configure({ dialect: DIALECTS[ending]! }).parse(text)
  const starts = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)]
  const lines: Run[][] = starts.map(() => [])
  let line = 0
  highlightTree(tree, WORDS, (from, to, kind) => {
    while (line + 1 < starts.length && starts[line + 1]! <= from) line++
    for (let at = line; at < starts.length && starts[at]! < to; at++) {
      const end = (starts[at + 1] ?? text.length + 1) - 1
      const [first, last] = [Math.max(from, starts[at]!) - starts[at]!, Math.min(to, end) - starts[at]!]
      if (first < last) lines[at]!.push([first, last, kind as RunKind])
    }
  })
  return lines
}
