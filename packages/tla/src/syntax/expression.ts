/**
 * Expressions with operators: precedence and associativity.
 *
 * Shift and reduce over the operators' precedence ranges (operators.ts): of two operators around an
 * operand, the one whose range is wholly above the other's binds; overlapping ranges need
 * parentheses. An operand that is open to the right (`IF`, `\A`, `LET`, …) extends as far as it
 * can, so it comes last.
 */

import { type Span, spanOf } from '../error/span.ts'
import type { Argument, Expression } from './ast.ts'
import { type Cursor, HEIGHT_LIMIT, quote } from './cursor.ts'
import { closedOperand, openOperand } from './operand.ts'
import { INFIX, type Operator, POSTFIX, PREFIX } from './operators.ts'
import { OPEN, type Token } from './token.ts'

/** How tightly `=`, `<` and the like bind. */
const COMPARISON = 5
/** How tightly `f[e]` binds. */
const APPLICATION = 16

/** An operator that still waits for its right operand. */
interface Pending {
  readonly operator: Operator
  readonly token: Token
  /** Undefined of a prefix operator. */
  readonly left: Expression | undefined
  readonly leftHeight: number
}

export function expression(cursor: Cursor): Expression {
  cursor.enter()
  const outer = cursor.tallest
  const pending: Pending[] = []
  let operand: Expression
  for (;;) {
    prefixOperators(cursor, pending)
    cursor.tallest = 0
    if (OPEN.has(cursor.kind)) {
      operand = openOperand(cursor)
      cursor.tallest++
      break
    }
    operand = postfixOperators(cursor, closedOperand(cursor), pending)
    cursor.tallest++
    if (cursor.kind === '::') {
      operand = label(cursor, operand, pending)
      break
    }
    const operator = INFIX.get(cursor.kind)
    if (operator === undefined) break
    operand = reduce(cursor, pending, operand, operator)
    pending.push({ operator, token: cursor.next(), left: operand, leftHeight: cursor.tallest })
    cursor.lastPrecedence = operator.low
  }
  operand = reduce(cursor, pending, operand, undefined)
  cursor.tallest = Math.max(outer, cursor.tallest)
  cursor.leave()
  return operand
}

function prefixOperators(cursor: Cursor, pending: Pending[]): void {
  for (;;) {
    const { kind } = cursor
    const operator = kind === '-' ? PREFIX.get('-.')! : PREFIX.get(kind)
    if (operator === undefined || kind === '-.') return
    const before = pending[pending.length - 1]
    if (kind === '-' && before !== undefined && before.operator.low > operator.high) conflict(cursor, before, '-')
    pending.push({ operator, token: cursor.next(), left: undefined, leftHeight: 0 })
    cursor.lastPrecedence = operator.low
    if (pending.length > HEIGHT_LIMIT) tooHigh(cursor)
  }
}

/**
 * What follows an operand closely: `'`, `[e]`, `.field`, and the postfix operators that users
 * define.
 */
function postfixOperators(cursor: Cursor, first: Expression, pending: readonly Pending[]): Expression {
  let operand = first
  for (;;) {
    if (cursor.kind === '[') {
      const open = cursor.next()
      const list = cursor.expressions()
      cursor.close(']', open, '`,` or ')
      operand = { kind: 'application', function: operand, arguments: list, at: cursor.spanFrom(operand.at) }
      cursor.lastPrecedence = APPLICATION
    } else if (cursor.kind === '.') {
      cursor.next()
      const field = cursor.word('the name of a field')
      operand = { kind: 'field', record: operand, field, at: cursor.spanFrom(operand.at) }
    } else {
      const operator = POSTFIX.get(cursor.kind)
      if (operator === undefined) return operand
      const before = pending[pending.length - 1]
      // All other operators have lower precedence than the postfix operators.
      if (before !== undefined && before.operator.high >= operator.low) conflict(cursor, before, operator.name)
      const token = cursor.next()
      cursor.lastPrecedence = operator.low
      operand = apply(operator.name, [operand], token, spanOf(operand.at, token.at))
    }
    if (++cursor.tallest > HEIGHT_LIMIT) tooHigh(cursor)
  }
}

/**
 * Gives the operators that bind more tightly than `next` their right operand; all of them if there
 * is no next.
 */
function reduce(cursor: Cursor, pending: Pending[], last: Expression, next: Operator | undefined): Expression {
  let operand = last
  for (;;) {
    const top = pending[pending.length - 1]
    if (top === undefined) return operand
    const { operator, token, left } = top
    if (next !== undefined) {
      const binds = operator.low > next.high || (operator === next && operator.isAssociative)
      if (!binds) {
        if (operator.high < next.low) return operand
        conflict(cursor, top, cursor.token.text)
      }
    }
    pending.pop()
    if (left === undefined) {
      operand = apply(operator.name, [operand], token, spanOf(token.at, operand.at))
      cursor.tallest++
    } else {
      // A chain of `/\`, `\/` or `\X` is flat, so it grows no higher.
      const grows = flattens(operator.name, left) ? 0 : 1
      cursor.tallest = Math.max(top.leftHeight + grows, cursor.tallest + 1)
      operand = infix(operator.name, left, operand, token)
    }
    if (cursor.tallest > HEIGHT_LIMIT) tooHigh(cursor)
  }
}

function flattens(name: string, left: Expression): boolean {
  if (name === '\\X') return left.kind === 'product'
  return left.kind === 'junction' && left.name === name && !left.isList
}

function infix(name: string, left: Expression, right: Expression, token: Token): Expression {
  const at = spanOf(left.at, right.at)
  if (name === '/\\' || name === '\\/') {
    const items = left.kind === 'junction' && flattens(name, left) ? left.items : [left]
    return { kind: 'junction', name, isList: false, items: append(items, right), at }
  }
  if (name === '\\X')
    return { kind: 'product', items: append(left.kind === 'product' ? left.items : [left], right), at }
  return apply(name, [left, right], token, at)
}

/** Appends to the list of a chain in place, as it is not shared yet: copying would be quadratic. */
function append(items: readonly Expression[], item: Expression): readonly Expression[] {
  const list = items as Expression[]
  list.push(item)
  return list
}

function apply(name: string, list: readonly Argument[], token: Token, at: Span): Expression {
  return { kind: 'apply', path: [], name, arguments: list, nameAt: token.at, at }
}

/** `name :: body`, `name(x, y) :: body`, with the cursor at the `::`. */
function label(cursor: Cursor, before: Expression, pending: readonly Pending[]): Expression {
  const isLabel =
    before.kind === 'apply' &&
    before.path.length === 0 &&
    before.arguments.every(
      (argument) => argument.kind === 'apply' && argument.path.length + argument.arguments.length === 0,
    )
  if (!isLabel) cursor.fail('`::` must follow a label: a name, or a name with the bound variables it depends on')
  const colons = cursor.next()
  const body = expression(cursor)
  const around = pending[pending.length - 1]
  // As in SANY, the last operator decides, which may not be the outermost one.
  if (around !== undefined && isOperation(body) && around.operator.high >= cursor.lastPrecedence) {
    cursor.fail(`this label changes how the expression is read: put the labelled part in parentheses`, colons.at)
  }
  cursor.tallest++
  return {
    kind: 'label',
    name: { name: before.name, at: before.nameAt },
    parameters: before.arguments.map((argument) => ({
      name: (argument as Expression & { kind: 'apply' }).name,
      at: argument.at,
    })),
    body,
    at: cursor.spanFrom(before.at),
  }
}

/** Whether an expression is made with an infix or postfix operator, outside of parentheses. */
function isOperation(body: Expression): boolean {
  if (body.kind === 'junction') return !body.isList
  if (body.kind !== 'apply' || body.path.length > 0) return body.kind === 'product'
  return body.arguments.length === 2 ? INFIX.has(body.name) : POSTFIX.has(body.name)
}

function conflict(cursor: Cursor, before: Pending, name: string): never {
  const { line, column } = before.token.at
  const first = quote(before.token.text)
  const list = cursor.listAround()
  if (list !== undefined && cursor.token.kind === list.kind && cursor.token.at.line > cursor.last.at.endLine) {
    const { at } = list
    cursor.fail(
      `${quote(name)} cannot follow the ${first} of ${before.token.at.line}:${before.token.at.column} without parentheses; ` +
        `as an item of the list of ${at.line}:${at.column}, put it in the same column as the first`,
    )
  }
  const message = `${quote(name)} cannot follow the ${first} of ${line}:${column} without parentheses`
  const meant = connectiveBetween(before.token.at, cursor.token.at)
  if (meant !== undefined) cursor.fail(`${message}: ${meant}`)
  const isSame = before.operator.name === name || before.token.text === name
  const reason = isSame ? 'it does not associate' : 'neither binds more tightly'
  cursor.failWithAdvice(message, `${reason}${howToWrite(before, cursor.token)}`)
}

/** Advice for a conjunction or disjunction of other languages between two operators: `a = b && c = d`. */
function connectiveBetween({ source, line, column }: Span, after: Span): string | undefined {
  if (after.line !== line) return undefined
  const text = source.text.split(/\r\n|\n|\r/)[line - 1]!.slice(column, after.column - 1)
  const [found] = /&&?|\|\|?/.exec(text) ?? []
  if (found === undefined) return undefined
  return found[0] === '&' ? `write \`/\\\` for "and", not \`${found}\`` : `write \`\\/\` for "or", not \`${found}\``
}

/** How two operators that conflict are often meant. */
function howToWrite({ operator, left, token }: Pending, next: Token): string {
  const second = INFIX.get(next.kind)
  if (left === undefined)
    return operator.name === '-.' ? '' : `; put the operand of ${quote(token.text)} in parentheses`
  if (second === undefined) return ''
  const [one, other] = [token.text, next.text]
  if (operator.low === COMPARISON && second.low === COMPARISON) {
    return `; write a chain as \`a ${one} b /\\ b ${other} c\``
  }
  if (operator.name === '..' && second === operator) return '; put each interval in parentheses'
  return `; write \`(a ${one} b) ${other} c\`, or \`a ${one} (b ${other} c)\``
}

function tooHigh(cursor: Cursor): never {
  cursor.fail(
    `this expression is more than ${HEIGHT_LIMIT} operators high: define parts of it as operators of their own`,
  )
}
