/**
 * Makes text of the program under test safe for a terminal: it cannot move the cursor, ring the
 * bell or fill the screen.
 */
import { stripVTControlCharacters } from 'node:util'
import { abbreviated } from '../contract/text.ts'

const MAX_LINES = 100
const MAX_LINE = 2000

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones to show
const CONTROL = /[\0-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/g

/** One line: line breaks and controls become escapes. */
export function printableLine(text: string, length = MAX_LINE): string {
  return abbreviated(text.replaceAll('\n', '\\n').replace(CONTROL, escaped), length)
}

/** Lines without colours and controls; long lines are cut, and the middle of very many left out. */
export function printableLines(text: string): string[] {
  const lines = stripVTControlCharacters(text).replaceAll('\r\n', '\n').replace(CONTROL, escaped).split('\n')
  const cut = lines.length - MAX_LINES
  const kept = cut > 0 ? [...lines.slice(0, MAX_LINES / 2), `… (${cut} lines)`, ...lines.slice(-MAX_LINES / 2)] : lines
  return kept.map((line) => abbreviated(line, MAX_LINE))
}

function escaped(character: string): string {
  return JSON.stringify(character)
    .slice(1, -1)
    .replace(/^[^\\]$/, unicodeEscape)
}

function unicodeEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
