/**
 * Text of the program under test as it may go to a terminal: it must not move the cursor, ring or
 * fill the screen.
 */
import { stripVTControlCharacters } from 'node:util'

const MAX_LINES = 100
const MAX_LINE = 2000

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones to show
const CONTROL = /[\0-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/g

/** One line: line breaks and controls become escapes. */
export function printableLine(text: string, length = MAX_LINE): string {
  return shorten(text.replaceAll('\n', '\\n').replace(CONTROL, escaped), length)
}

/**
 * Lines without colours and controls, the long ones cut; of very many those in the middle are left
 * out.
 */
export function printableLines(text: string): string[] {
  const lines = stripVTControlCharacters(text).replaceAll('\r\n', '\n').replace(CONTROL, escaped).split('\n')
  const cut = lines.length - MAX_LINES
  const kept = cut > 0 ? [...lines.slice(0, MAX_LINES / 2), `… (${cut} lines)`, ...lines.slice(-MAX_LINES / 2)] : lines
  return kept.map((line) => shorten(line))
}

function shorten(line: string, length = MAX_LINE): string {
  const cut = line.length - length
  return cut > 0 ? `${line.slice(0, length)}… (${cut} more characters)` : line
}

function escaped(character: string): string {
  return JSON.stringify(character)
    .slice(1, -1)
    .replace(/^[^\\]$/, unicodeEscape)
}

function unicodeEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
