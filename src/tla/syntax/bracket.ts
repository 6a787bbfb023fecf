/**
 * What stands in `[…]` and `{…}`.
 *
 * Two tokens, or the names of a bound, tell most forms of `[` apart before anything is parsed; the rest is told by what
 * follows the first expression. `{x \in S : P}` is read as an expression first, which its `:` then makes a filter. So
 * nothing is parsed twice.
 */

import { actionSubscript } from './action.ts'
import type { Bound, Expression, FieldSyntax, Identifier, UpdateStep, UpdateSyntax } from './ast.ts'
import { beginsBound, boundList, boundsThen } from './bound.ts'
import type { Cursor } from './cursor.ts'
import { expression, expressions } from './expression.ts'
import { isWord, type Token } from './token.ts'

/** A form in square brackets that is no argument of a function. */
export function squareBrackets(cursor: Cursor): Expression {
  const open = cursor.next()
  if (isWord(cursor.kind)) {
    const mark = cursor.ahead(1)
    if (mark === '|->') return fields(cursor, open, 'record', '|->')
    if (mark === ':' && cursor.kind === 'identifier') return fields(cursor, open, 'record set', ':')
  }
  if (beginsBound(cursor)) {
    const bounds = boundsThen(cursor, '|->')
    const body = expression(cursor)
    cursor.close(']', open)
    return { kind: 'function', bounds, body, at: cursor.spanFrom(open.at) }
  }
  const first = expression(cursor)
  switch (cursor.kind) {
    case '->': {
      cursor.next()
      const range = expression(cursor)
      cursor.close(']', open)
      return { kind: 'function set', domain: first, range, at: cursor.spanFrom(open.at) }
    }
    case 'EXCEPT':
      return except(cursor, open, first)
    case ']_': {
      cursor.next()
      const subscript = actionSubscript(cursor)
      return { kind: 'action', shape: 'square', action: first, subscript, at: cursor.spanFrom(open.at) }
    }
    default:
      return cursor.close(']_', open, '`->`, `EXCEPT`, `|->` or ') as never
  }
}

function fields(cursor: Cursor, open: Token, kind: 'record' | 'record set', mark: string): Expression {
  const list: FieldSyntax[] = []
  do {
    // A reserved word can be the first field of a record, and of nothing else: so SANY reads it.
    const isFirst = kind === 'record' && list.length === 0
    const name = isFirst ? cursor.word('the name of a field') : cursor.identifier('the name of a field')
    cursor.expect(mark)
    list.push({ name, value: expression(cursor) })
  } while (cursor.skip(','))
  cursor.close(']', open, '`,` or ')
  return { kind, fields: list, at: cursor.spanFrom(open.at) }
}

function except(cursor: Cursor, open: Token, of: Expression): Expression {
  cursor.next()
  const updates: UpdateSyntax[] = []
  do updates.push(update(cursor))
  while (cursor.skip(','))
  cursor.close(']', open, '`,` or ')
  return { kind: 'except', function: of, updates, at: cursor.spanFrom(open.at) }
}

/** `![a, b].f = e`. */
function update(cursor: Cursor): UpdateSyntax {
  const start = cursor.expect('!', '`!` and what is updated')
  const path: UpdateStep[] = []
  for (;;) {
    const mark = cursor.token
    if (cursor.skip('.')) path.push({ kind: 'field', field: cursor.word('the name of a field') })
    else if (cursor.skip('[')) {
      const list = expressions(cursor)
      cursor.close(']', mark, '`,` or ')
      path.push({ kind: 'index', arguments: list, at: cursor.spanFrom(mark.at) })
    } else break
  }
  cursor.expect('=', path.length === 0 ? '`[` or `.`' : '`=`, `[` or `.`')
  if (path.length === 0) cursor.fail('expected `[` or `.` after `!`: what is updated', start.at)
  return { path, value: expression(cursor), at: cursor.spanFrom(start.at) }
}

/** `{}`, `{a, b}`, `{x \in S : P}`, `{e : x \in S}`. */
export function setOrFilter(cursor: Cursor): Expression {
  const open = cursor.next()
  if (cursor.skip('}')) return { kind: 'set', items: [], at: cursor.spanFrom(open.at) }
  const items = expressions(cursor)
  if (items.length === 1 && cursor.kind === ':') {
    const colon = cursor.next()
    const first = items[0]!
    const isMembership = first.kind === 'apply' && first.name === '\\in' && first.path.length === 0
    if (!isMembership) {
      const bounds = boundList(cursor)
      cursor.close('}', open, '`,` or ')
      return { kind: 'map', body: first, bounds, at: cursor.spanFrom(open.at) }
    }
    const bound = asBound(first.arguments[0] as Expression, first.arguments[1] as Expression)
    if (bound === undefined) {
      cursor.fail('what stands left of `\\in` in `{… \\in S : P}` must be a name or a tuple of names', colon.at)
    }
    const body = expression(cursor)
    cursor.close('}', open)
    return { kind: 'filter', bound, body, at: cursor.spanFrom(open.at) }
  }
  cursor.close('}', open, items.length === 1 ? '`,`, `:` or ' : '`,` or ')
  return { kind: 'set', items, at: cursor.spanFrom(open.at) }
}

function asBound(left: Expression, set: Expression): Bound | undefined {
  const name = asName(left)
  if (name !== undefined) return { names: [name], isTuple: false, set }
  if (left.kind !== 'tuple') return undefined
  const names: Identifier[] = []
  for (const item of left.items) {
    const part = asName(item)
    if (part === undefined) return undefined
    names.push(part)
  }
  return { names, isTuple: true, set }
}

function asName(of: Expression): Identifier | undefined {
  if (of.kind !== 'apply' || of.path.length > 0 || of.arguments.length > 0) return undefined
  return { name: of.name, at: of.nameAt }
}
