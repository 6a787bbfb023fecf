/** The formats of histories, and how a text is recognised. */

/**
 * EDN, JSON (lines or an array), or the text log of Jepsen.
 *
 * @public
 */
export type HistoryFormat = 'edn' | 'json' | 'log'

/**
 * The format of a text by its beginning; undefined if more of it is needed.
 *
 * @param isWhole whether no more will come
 */
export function formatOf(text: string, isWhole: boolean): HistoryFormat | undefined {
  // A comment is EDN; a bracket may be EDN or JSON, and what follows it tells.
  const begin = /^\s*([[({]\s*)*/.exec(text)![0]
  const rest = text.slice(begin.length, begin.length + 2)
  if (rest.length < 2 && !isWhole) return undefined
  if (rest.startsWith(';')) return 'edn'
  if (begin.trim() === '') return /^#[^\s#]/.test(rest) ? 'edn' : 'log'
  return /^[:#\\;]/.test(rest) ? 'edn' : 'json'
}
