/** Numbers and cut texts in messages. */
export { numberText, plural } from '#shared/text'

/** A text in at most `room` characters: a longer one ends in `…`. */
export function cut(text: string, room: number): string {
  if (text.length <= room) return text
  return room < 1 ? '' : `${text.slice(0, room - 1).trimEnd()}…`
}

/** The first `length` characters of a text, and how many more there are. */
export function abbreviated(text: string, length: number): string {
  const more = text.length - length
  return more > 0 ? `${text.slice(0, length)}… (${more} more characters)` : text
}

/** The lines of a text, each but an empty one after `by`. */
export function indented(lines: readonly string[], by: string): string[] {
  return lines.map((line) => (line === '' ? '' : by + line))
}
