/** What quantifiers and functions bind: `x \in S`, `x, y \in S`, `<<x, y>> \in S`. */

import type { Bound, Identifier } from './ast.ts'
import type { Cursor } from './cursor.ts'
import { expression } from './expression.ts'
import type { About } from './failure.ts'

/** Bounds, and the mark that ends them. */
export function boundsThen(cursor: Cursor, end: string, about?: About): Bound[] {
  const bounds = boundList(cursor, about)
  cursor.expect(end, `\`,\` or \`${end}\``)
  return bounds
}

/** @param about what is said of what is no bound */
export function boundList(cursor: Cursor, about?: About): Bound[] {
  const bounds = [bound(cursor, about)]
  while (cursor.skip(',')) bounds.push(bound(cursor, about))
  return bounds
}

export function bound(cursor: Cursor, about: About = 'a bound name'): Bound {
  const isTuple = cursor.kind === '<<'
  const bound = isTuple ? names(cursor) : [cursor.identifier('the name of a bound variable', about)]
  if (!isTuple) while (cursor.skip(',')) bound.push(cursor.identifier('the name of a bound variable', about))
  cursor.expect('\\in', isTuple ? '`\\in`' : '`,` or `\\in`', about === 'a bound name' ? 'a bound' : about)
  return { names: bound, isTuple, set: expression(cursor) }
}

/** `<<x, y>>`, names only. */
export function names(cursor: Cursor): Identifier[] {
  const open = cursor.expect('<<')
  const list: Identifier[] = []
  if (cursor.kind !== '>>') {
    list.push(cursor.identifier('the name of a bound variable', 'a bound name'))
    while (cursor.skip(',')) list.push(cursor.identifier('the name of a bound variable', 'a bound name'))
  }
  cursor.close('>>', open, '`,` or ')
  return list
}

/** Whether names and then a `:` stand here: `x, y :`. */
export function unboundedNames(cursor: Cursor): boolean {
  let i = 0
  while (cursor.ahead(i) === 'identifier' && cursor.ahead(i + 1) === ',') i += 2
  return cursor.ahead(i) === 'identifier' && cursor.ahead(i + 1) === ':'
}
