/** Text of the program under test as it may stand in XML (SVG, JUnit): well-formed, never markup. */
import { printableLine } from './printable.ts'

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** What XML does not allow even as a reference, beside the controls that `printableLine` shows. */
const NOT_XML = /[\ufffe\uffff]/g

/** One line, for content and attributes alike. */
export function xmlText(text: string, length?: number): string {
  return printableLine(text, length)
    .toWellFormed()
    .replace(NOT_XML, '\ufffd')
    .replace(/[&<>"']/g, (character) => ESCAPES[character]!)
}
