/** What quantifiers and functions bind: `x \in S`, `x, y \in S`, `<<x, y>> \in S`. */
import type { Bound, Identifier } from './ast.ts'
import type { Cursor } from './cursor.ts'

/** Bounds, and the mark that ends them. */
export function boundsThen(cursor: Cursor, end: string): Bound[] {
  const bounds = boundList(cursor)
  cursor.expect(end, `\`,\` or \`${end}\``)
  return bounds
}

export function boundList(cursor: Cursor): Bound[] {
  const bounds = [bound(cursor)]
  while (cursor.skip(',')) bounds.push(bound(cursor))
  return bounds
}

function bound(cursor: Cursor): Bound {
  const isTuple = cursor.kind === '<<'
  const bound = isTuple ? names(cursor) : [cursor.identifier('the name of a bound variable')]
  if (!isTuple) while (cursor.skip(',')) bound.push(cursor.identifier('the name of a bound variable'))
  cursor.expect('\\in', isTuple ? '`\\in`' : '`,` or `\\in`')
  return { names: bound, isTuple, set: cursor.expression() }
}

/** `<<x, y>>`, names only. */
export function names(cursor: Cursor): Identifier[] {
  const open = cursor.expect('<<')
  const list: Identifier[] = []
  if (cursor.kind !== '>>') {
    list.push(cursor.identifier('the name of a bound variable'))
    while (cursor.skip(',')) list.push(cursor.identifier('the name of a bound variable'))
  }
  cursor.close('>>', open, '`,` or ')
  return list
}

/** Whether names and a `:` follow: `x, y :`. */
export function unboundedNames(cursor: Cursor): boolean {
  let i = 0
  while (cursor.ahead(i) === 'identifier' && cursor.ahead(i + 1) === ',') i += 2
  return cursor.ahead(i) === 'identifier' && cursor.ahead(i + 1) === ':'
}
