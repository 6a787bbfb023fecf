/**
 * Forms in `[…]` and `{…}`.
 *
 * Two tokens of lookahead distinguish records; `[` and a name before a comma or `\in` start a
 * function, as in SANY, which therefore rejects `[x \in S]_v`. In braces, the first expression is
 * parsed before its role is known: `{x \in S : P}` starts as the expression `x \in S`, and the `:`
 * makes it a bound. Nothing is parsed twice.
 */

import { spanOf } from '../error/span.ts'
import type { Bound, Expression, FieldSyntax, Identifier, UpdateStep, UpdateSyntax } from './ast.ts'
import { boundList } from './bound.ts'
import { type Cursor, quote } from './cursor.ts'
import { INFIX } from './operators.ts'
import { path } from './path.ts'
import { isWord, type Token } from './token.ts'

/** A form in square brackets that is no argument of a function. */
export function squareBrackets(cursor: Cursor): Expression {
  const open = cursor.next()
  if (isWord(cursor.kind)) {
    const mark = cursor.ahead(1)
    if (mark === '|->') return fields(cursor, open, 'record', '|->')
    if (mark === ':' && cursor.kind === 'identifier') return fields(cursor, open, 'record set', ':')
  }
  if (beginsBound(cursor)) return functionOf(cursor, open, boundList(cursor))
  const first = cursor.expression()
  switch (cursor.kind) {
    case ',':
    case '|->':
      return cursor.failWithAdvice(
        `expected a bound \`x \\in S\` before ${quote(cursor.kind)}`,
        'write fields as `[a |-> e]`, a function as `[x \\in S |-> e]`',
      )
    case '->': {
      cursor.next()
      const range = cursor.expression()
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
      return cursor.unclosed(']_', open, '`->`, `EXCEPT`, `|->` or ')
  }
}

/** Whether `x \in`, `x,` or `<<x, y>> \in` follows. */
function beginsBound(cursor: Cursor): boolean {
  if (cursor.kind === 'identifier') return cursor.ahead(1) === ',' || cursor.ahead(1) === '\\in'
  if (cursor.kind !== '<<') return false
  let i = 1
  while (cursor.ahead(i) === 'identifier') {
    if (cursor.ahead(i + 1) === '>>') return cursor.ahead(i + 2) === '\\in'
    if (cursor.ahead(i + 1) !== ',') return false
    i += 2
  }
  return false
}

/** With the bounds taken, and the cursor at the `|->`. */
function functionOf(cursor: Cursor, open: Token, bounds: readonly Bound[]): Expression {
  cursor.expect('|->', '`,` or `|->`')
  const body = cursor.expression()
  cursor.close(']', open)
  return { kind: 'function', bounds, body, at: cursor.spanFrom(open.at) }
}

function fields(cursor: Cursor, open: Token, kind: 'record' | 'record set', mark: string): Expression {
  const list: FieldSyntax[] = []
  do {
    // A reserved word can be the first field of a record, and of nothing else: so SANY reads it.
    const isFirst = kind === 'record' && list.length === 0
    const name = isFirst ? cursor.word('the name of a field') : cursor.identifier('the name of a field')
    cursor.expect(mark)
    list.push({ name, value: cursor.expression() })
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
  const start = cursor.expect('!', '`!` and an index or a field')
  const path: UpdateStep[] = []
  for (;;) {
    const mark = cursor.token
    if (cursor.skip('.')) path.push({ kind: 'field', field: cursor.word('the name of a field') })
    else if (cursor.skip('[')) {
      const list = cursor.expressions()
      cursor.close(']', mark, '`,` or ')
      path.push({ kind: 'index', arguments: list, at: cursor.spanFrom(mark.at) })
    } else break
  }
  cursor.expect('=', path.length === 0 ? '`[` or `.`' : '`=`, `[` or `.`')
  if (path.length === 0) cursor.fail('expected `[` or `.` after `!`', start.at)
  return { path, value: cursor.expression(), at: cursor.spanFrom(start.at) }
}

/** `{}`, `{a, b}`, `{x \in S : P}`, `{e : x \in S}`. */
export function setOrFilter(cursor: Cursor): Expression {
  const open = cursor.next()
  if (cursor.skip('}')) return { kind: 'set', items: [], at: cursor.spanFrom(open.at) }
  const items = cursor.expressions()
  if (items.length === 1 && cursor.kind === ':') {
    const colon = cursor.next()
    const first = withBoundFirst(items[0]!)
    if (!isMembership(first)) {
      const bounds = boundList(cursor)
      cursor.close('}', open, '`,` or ')
      return { kind: 'map', body: first, bounds, at: cursor.spanFrom(open.at) }
    }
    const bound = membershipBound(first)
    if (bound === undefined) {
      cursor.fail('the left side of `\\in` in `{… \\in S : P}` must be a name or a tuple of names', colon.at)
    }
    const body = cursor.expression()
    cursor.close('}', open)
    return { kind: 'filter', bound, body, at: cursor.spanFrom(open.at) }
  }
  const only = items.length === 1 ? items[0]! : undefined
  // SANY takes this for a filter.
  if (cursor.kind === '}' && only !== undefined && isTupleOfNames(only)) cursor.unexpected('`:` and a condition')
  cursor.close('}', open, only === undefined ? '`,` or ' : '`,`, `:` or ')
  return { kind: 'set', items, at: cursor.spanFrom(open.at) }
}

/** Whether an expression is `a \in b`, and not in parentheses. */
function isMembership(of: Expression): boolean {
  return of.kind === 'apply' && of.name === '\\in' && of.path.length === 0 && of.arguments.length === 2
}

function isTupleOfNames(of: Expression): boolean {
  if (of.kind !== 'apply' || !isMembership(of)) return false
  const [left] = of.arguments as readonly [Expression, Expression]
  return left.kind === 'tuple' && left.items.length > 0 && left.items.every((item) => asName(item) !== undefined)
}

/**
 * SANY takes `{x \in` for the beginning of a bound, whose set is an expression of its own: `x \in S
 * /\ P`, with an operator that binds less tightly than `\in`, then means `x \in (S /\ P)`.
 */
function withBoundFirst(of: Expression): Expression {
  const outer: Expression[] = []
  let at = of
  for (;;) {
    if (isMembership(at) && membershipBound(at) !== undefined) break
    const left = leftOf(at)
    if (left === undefined) return of
    outer.push(at)
    at = left
  }
  if (outer.length === 0 || at.kind !== 'apply') return of
  const [name, first] = at.arguments as readonly [Expression, Expression]
  let set = first
  for (const each of outer.reverse()) set = withLeft(each, set)
  return { ...at, arguments: [name, set], at: of.at }
}

/** The left operand of an expression's outermost operator; undefined if there is none. */
function leftOf(of: Expression): Expression | undefined {
  if (of.kind === 'junction') return of.isList ? undefined : of.items[0]
  if (of.kind !== 'apply' || of.path.length > 0 || of.arguments.length !== 2 || !INFIX.has(of.name)) return undefined
  // `+(a, b)` begins with its operator.
  if (of.nameAt.line === of.at.line && of.nameAt.column === of.at.column) return undefined
  return of.arguments[0] as Expression
}

function withLeft(of: Expression, left: Expression): Expression {
  const at = spanOf(left.at, of.at)
  if (of.kind === 'junction') return { ...of, items: [left, ...of.items.slice(1)], at }
  return of.kind === 'apply' ? { ...of, arguments: [left, of.arguments[1]!], at } : of
}

/**
 * `x \in S` or `<<x, y>> \in S` as the bound that it turned out to be; undefined if it cannot be
 * one.
 */
function membershipBound(of: Expression): Bound | undefined {
  if (of.kind !== 'apply' || !isMembership(of)) return undefined
  const [left, set] = of.arguments as readonly [Expression, Expression]
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

export function parentheses(cursor: Cursor): Expression {
  const open = cursor.next()
  const body = cursor.expression()
  cursor.close(')', open)
  return { kind: 'parentheses', body, at: cursor.spanFrom(open.at) }
}

/** `<<a, b>>`, `<<A>>_v`. */
export function tupleOrAction(cursor: Cursor): Expression {
  const open = cursor.next()
  const items = cursor.kind === '>>' || cursor.kind === '>>_' ? [] : cursor.expressions()
  if (cursor.kind === '>>_' && items.length === 1) {
    cursor.next()
    const subscript = actionSubscript(cursor)
    return { kind: 'action', shape: 'angle', action: items[0]!, subscript, at: cursor.spanFrom(open.at) }
  }
  cursor.close('>>', open, '`,` or ')
  return { kind: 'tuple', items, at: cursor.spanFrom(open.at) }
}

// Subscripts

/** What a subscript can be. */
export const SUBSCRIPT = 'a subscript: a name, a tuple or something in parentheses'

function actionSubscript(cursor: Cursor): Expression {
  // A subscript may be an action with a subscript.
  cursor.enter()
  const subscript = bracketed(cursor) ?? (cursor.kind === 'identifier' ? path(cursor) : cursor.unexpected(SUBSCRIPT))
  cursor.leave()
  return subscript
}

/** A form in brackets of any kind. */
export function bracketed(cursor: Cursor): Expression | undefined {
  switch (cursor.kind) {
    case '(':
      return parentheses(cursor)
    case '<<':
      return tupleOrAction(cursor)
    case '[':
      return squareBrackets(cursor)
    case '{':
      return setOrFilter(cursor)
    default:
      return undefined
  }
}
