/** Numbers and cut texts in messages: the one place that words plurals, thousands and ellipses. */

/** `1,234,567`. */
export function numberText(value: number): string {
  return String(value).replace(/\B(?=(?:\d{3})+$)/g, ',')
}

/** `1 step`, `2,000 steps`; `many` is for plurals without an `s`. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${numberText(count)} ${count === 1 ? one : many}`
}

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
