/**
 * Junction lists: items that begin with `/\` (or `\/`) at one column. "Specifying Systems", 15.2.2.
 *
 * A list ends at the first token at or left of its column that is not one more bullet of the same
 * kind right on it.
 */
import type { Expression } from './ast.ts'
import type { Cursor } from './cursor.ts'

/** With the cursor at the first bullet. */
export function conjunctionOrDisjunction(cursor: Cursor): Expression {
  const first = cursor.token
  const name = first.kind as '/\\' | '\\/'
  const items: Expression[] = []
  do {
    const bullet = cursor.next()
    items.push(cursor.within(bullet, () => cursor.expression()))
  } while (cursor.token.kind === name && cursor.token.isBullet && cursor.token.indent === first.indent)
  const at = cursor.spanFrom(first.at)
  // A single bullet only groups its item.
  if (items.length === 1) return { kind: 'parentheses', body: items[0]!, at }
  return { kind: 'junction', name, isList: true, items, at }
}
