/** Text of a history as it may stand in HTML: never markup, never the end of a script. */
import { visible, visibleJson } from '#shared/printable'

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

export function htmlText(text: string): string {
  return visible(text).replace(/[&<>"']/g, (character) => ESCAPES[character]!)
}

/** JSON for a `script` element: `<` could begin the end of the element, or a comment. */
export function scriptJson(value: unknown): string {
  return visibleJson(value).replaceAll('<', '\\u003c')
}
