/**
 * Makes text of the program under test safe for a terminal and a log: it cannot move the cursor, ring the
 * bell, give commands or fill the screen.
 */
import { stripVTControlCharacters } from 'node:util'
import { visible, withoutCommands } from '#shared/printable'
import { abbreviated } from '../contract/text.ts'

const MAX_LINES = 100
const MAX_LINE = 2000

/** One line: line breaks and controls become escapes. */
export function printableLine(text: string, length = MAX_LINE): string {
  return abbreviated(withoutCommands(visible(text).replaceAll('\n', '\\n')), length)
}

/** Lines without colours and controls; long lines are cut, and the middle of very many left out. */
export function printableLines(text: string): string[] {
  const shown = withoutCommands(visible(stripVTControlCharacters(text).replaceAll('\r\n', '\n')))
  const lines = shown.split('\n')
  const cut = lines.length - MAX_LINES
  const kept = cut > 0 ? [...lines.slice(0, MAX_LINES / 2), `… (${cut} lines)`, ...lines.slice(-MAX_LINES / 2)] : lines
  return kept.map((line) => abbreviated(line, MAX_LINE))
}
