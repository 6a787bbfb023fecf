/**
 * Text of programs, files and queues, made safe for what shows it: a terminal, the log of a CI system, a page.
 *
 * Every escape is one of JSON and of JavaScript's strings, and stands for what it replaces: so JSON stays the
 * same JSON, and a quoted string the same string.
 */

/** What shows nothing, or changes the order of what is shown; emoji need two of these between their parts. */
const UNSEEN =
  /(?<![\p{ExtPict}\p{EMod}]\ufe0f?)(?:\u200d|\ufe0f)|(?![\t\n]|\u200d|\ufe0f)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{DI}]/gu

const PLAIN = /^[\t\n -~]*$/
// biome-ignore lint/suspicious/noControlCharactersInRegex: as a terminal reads it
const EMPHASIS = /(\u001b\[[\d;]*m)/

/** A line that begins so is a command to GitHub. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: as a terminal reads it
const COMMAND = /^((?:[^\S\n]|\u001b\[[\d;]*m)*):(?=:)/gm
/** GitHub, Azure and TeamCity look for these anywhere in a line. */
const BRACKETED = /##(?=\[|vso\[|teamcity\[)/g

/** Controls and invisible characters, but tabs and line breaks, become escapes. */
export function visible(text: string): string {
  return PLAIN.test(text) ? text : text.replace(UNSEEN, escaped)
}

/** Data for a page or another reader, whose texts are shown as they are. */
export function visibleJson(data: unknown, indent?: number): string {
  return JSON.stringify(data, (_, value: unknown) => (typeof value === 'string' ? visible(value) : value), indent)
}

/** Lines of which none is a command to a CI system. */
export function withoutCommands(text: string): string {
  return text.replace(COMMAND, '$1\\u003a').replace(BRACKETED, '#\\u0023')
}

/** Whole output: its lines and emphasis stay, everything else is shown as it is. */
export function printed(text: string): string {
  const shown = PLAIN.test(text)
    ? text
    : text
        .split(EMPHASIS)
        .map((part, at) => (at % 2 === 0 ? visible(part) : part))
        .join('')
  return withoutCommands(shown)
}

function escaped(character: string): string {
  const json = JSON.stringify(character).slice(1, -1)
  return json === character ? character.split('').map(unicodeEscape).join('') : json
}

function unicodeEscape(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
}
