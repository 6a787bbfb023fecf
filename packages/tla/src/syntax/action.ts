/**
 * The subscripts of `[A]_v`, `<<A>>_v`, `WF_v(A)`, `SF_v(A)`: a name with a path, or something in
 * brackets.
 */
import type { Expression } from './ast.ts'
import { setOrFilter, squareBrackets } from './bracket.ts'
import type { Cursor } from './cursor.ts'
import { expression } from './expression.ts'
import { parentheses, tupleOrAction } from './operand.ts'
import { path } from './path.ts'

const EXPECTED = 'a subscript: a name, a tuple or something in parentheses'

export function actionSubscript(cursor: Cursor): Expression {
  // A subscript may be an action with a subscript.
  cursor.enter()
  const subscript = bracketed(cursor) ?? (cursor.kind === 'identifier' ? path(cursor) : cursor.unexpected(EXPECTED))
  cursor.leave()
  return subscript
}

function bracketed(cursor: Cursor): Expression | undefined {
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

/** `WF_v(A)`: of `WF_f(x)(A)`, the last pair of parentheses holds the action. */
export function fairness(cursor: Cursor): Expression {
  const start = cursor.next()
  const name = start.kind === 'WF_' ? 'WF' : 'SF'
  let subscript = bracketed(cursor)
  let action: Expression | undefined
  if (subscript === undefined) {
    if (cursor.kind !== 'identifier') cursor.unexpected(EXPECTED)
    const whole = path(cursor)
    if (cursor.is('(')) subscript = whole
    else if (whole.kind === 'apply' && whole.arguments.length === 1) {
      const argument = whole.arguments[0]!
      if (argument.kind === 'lambda' || argument.kind === 'operator symbol') {
        cursor.fail('expected an action', argument.at)
      }
      action = argument
      subscript = {
        ...whole,
        arguments: [],
        at: { ...whole.at, endLine: whole.nameAt.endLine, endColumn: whole.nameAt.endColumn },
      }
    } else {
      cursor.expect('(', `\`(\` and the action of the \`${start.text}\``)
      cursor.fail(`expected one action in the parentheses of the \`${start.text}\``, whole.at)
    }
  }
  if (action === undefined) {
    const open = cursor.token
    cursor.expect('(', `\`(\` and the action of the \`${start.text}\``)
    action = expression(cursor)
    cursor.close(')', open)
  }
  return { kind: 'fairness', name, subscript: subscript!, action, at: cursor.spanFrom(start.at) }
}
