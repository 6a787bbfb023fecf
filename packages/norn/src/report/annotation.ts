/**
 * A problem as a workflow command of GitHub, which shows it beside its line of code: an error for a
 * failure, a warning for what is inconclusive.
 *
 * Escapes as in @actions/core, whose dependencies (an HTTP client among them) these lines save.
 */

import { visible } from '#shared/printable'
import { VERDICTS, verdictOfRule } from '../contract/verdict.ts'
import type { Problem } from './problem.ts'

export function annotation({ property, rule, headline, remarks, place }: Problem): string {
  const { path, line, column } = place
  const col = column === undefined ? [] : [['col', `${column}`]]
  const fields = [['file', path], ['line', `${line}`], ...col, ['title', property]]
  const properties = fields.map(([name, value]) => `${name}=${escapedProperty(value!)}`).join(',')
  return `::${VERDICTS[verdictOfRule(rule)].level} ${properties}::${escaped([headline, ...remarks].join('\n'))}`
}

function escaped(text: string): string {
  return visible(text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A'))
}

function escapedProperty(text: string): string {
  return escaped(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}
