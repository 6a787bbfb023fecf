/** The source text of a span on one line, for messages. */
import type { Span } from '../error/span.ts'

/** Without `\*` comments, and with single spaces. */
export function textOf({ source, line, column, endLine, endColumn }: Span): string {
  const lines = source.text.split(/\r\n|\n|\r/).slice(line - 1, endLine)
  if (lines.length === 0) return ''
  lines[lines.length - 1] = lines[lines.length - 1]!.slice(0, endColumn)
  lines[0] = lines[0]!.slice(column - 1)
  return lines
    .map((text) => text.replace(/\\\*.*$/, '').trim())
    .filter((text) => text !== '')
    .join(' ')
    .replace(/\s+/g, ' ')
}
