/**
 * Names with arguments and paths: `x`, `F(a, +)`, `I(1)!J!F(a)`, `I!+(a, b)`, `Op!1!<<!(x)!:`.
 * After the "TLA+2" notes on naming subexpressions.
 */

import { type Span, spanOf } from '../error/span.ts'
import type { Argument, Expression, Lambda, PathStep } from './ast.ts'
import type { Cursor } from './cursor.ts'
import { INFIX, POSTFIX, PREFIX } from './operators.ts'
import type { Token, TokenKind } from './token.ts'

/**
 * Whether an operator by symbol is the name of an operator that can be given or called like one
 * with a name.
 */
export function isOperatorSymbol(kind: TokenKind): boolean {
  return INFIX.has(kind) || POSTFIX.has(kind) || PREFIX.has(kind)
}

/**
 * Whether an operator by symbol begins a path (`+(1, 2)`, `+!1`) and is not an operator between
 * operands.
 */
export function isPathStart(cursor: Cursor): boolean {
  const { kind } = cursor
  if (!INFIX.has(kind) && !POSTFIX.has(kind) && kind !== '-.') return false
  const next = cursor.ahead(1)
  return next === '(' || next === '!'
}

/** With the cursor at the first name. */
export function path(cursor: Cursor): Expression {
  const start = cursor.next()
  let step = call(cursor, start)
  if (cursor.kind !== '!') {
    const { name, at } = step
    return { kind: 'apply', path: [], name, arguments: step.arguments, nameAt: start.at, at }
  }
  const steps: PathStep[] = []
  let nameAt: Span = start.at
  while (cursor.kind === '!') {
    cursor.next()
    steps.push(step)
    const token = cursor.token
    step = selector(cursor)
    nameAt = token.at
  }
  return {
    kind: 'apply',
    path: steps,
    name: step.name,
    arguments: step.arguments,
    nameAt,
    at: spanOf(start.at, step.at),
  }
}

/** A name that has just been taken, with its arguments if it has any. */
function call(cursor: Cursor, name: Token): PathStep {
  const list = cursor.kind === '(' ? callArguments(cursor) : []
  return { name: nameOf(name), arguments: list, at: cursor.spanFrom(name.at) }
}

/** Operators by symbol go by their canonical spelling. */
function nameOf({ kind, text }: Token): string {
  return isOperatorSymbol(kind) ? kind : text
}

function selector(cursor: Cursor): PathStep {
  const { kind, token } = cursor
  switch (kind) {
    case '<<':
    case '>>':
    case ':':
    case '@':
      cursor.next()
      return { name: kind, arguments: [], at: token.at }
    case 'number':
      cursor.next()
      return { name: token.text, arguments: [], at: token.at }
    case '(':
      return { name: '()', arguments: callArguments(cursor), at: cursor.spanFrom(token.at) }
    default:
      if ((kind !== 'identifier' && !isOperatorSymbol(kind)) || beginsNext(cursor)) {
        cursor.unexpected('a name or a selector after `!`')
      }
      return call(cursor, cursor.next())
  }
}

/**
 * Whether the next definition begins here (`a ==`, `-. a ==`): then the path before it is not
 * finished.
 */
function beginsNext(cursor: Cursor): boolean {
  if (cursor.ahead(1) === '==') return true
  return PREFIX.has(cursor.kind) && cursor.ahead(1) === 'identifier' && cursor.ahead(2) === '=='
}

function callArguments(cursor: Cursor): Argument[] {
  const open = cursor.next()
  const list = [argument(cursor)]
  while (cursor.skip(',')) list.push(argument(cursor))
  cursor.close(')', open, '`,` or ')
  return list
}

/** What an operator may be given. */
export function argument(cursor: Cursor): Argument {
  if (cursor.kind === 'LAMBDA') return lambda(cursor)
  if (isOperatorSymbol(cursor.kind)) {
    const next = cursor.ahead(1)
    if (next === ',' || next === ')') return operatorSymbol(cursor)
  }
  return asArgument(cursor.expression())
}

export function operatorSymbol(cursor: Cursor): Argument {
  const { kind, at } = cursor.next()
  return { kind: 'operator symbol', name: kind, path: [], at }
}

/** `I!+` without arguments is an operator. */
function asArgument(value: Expression): Argument {
  if (value.kind !== 'apply' || value.arguments.length > 0 || !isOperatorSymbol(value.name)) return value
  return { kind: 'operator symbol', name: value.name, path: value.path, at: value.at }
}

function lambda(cursor: Cursor): Lambda {
  const start = cursor.next()
  const parameters = [{ name: cursor.identifier('the name of a parameter'), arity: 0 }]
  while (cursor.skip(',')) parameters.push({ name: cursor.identifier('the name of a parameter'), arity: 0 })
  cursor.expect(':', '`,` or `:`')
  return { kind: 'lambda', parameters, body: cursor.expression(), at: cursor.spanFrom(start.at) }
}
