/**
 * The subscripts of `[A]_v`, `<<A>>_v`, `WF_v(A)`, `SF_v(A)`: a name with a path, or something in
 * brackets.
 */
import type { Expression } from './ast.ts'
import { bracketed, SUBSCRIPT } from './bracket.ts'
import type { Cursor } from './cursor.ts'
import { path } from './path.ts'

/** `WF_v(A)`: of `WF_f(x)(A)`, the last pair of parentheses holds the action. */
export function fairness(cursor: Cursor): Expression {
  const start = cursor.next()
  const name = start.kind === 'WF_' ? 'WF' : 'SF'
  let subscript = bracketed(cursor)
  let action: Expression | undefined
  if (subscript === undefined) {
    if (cursor.kind !== 'identifier') cursor.unexpected(SUBSCRIPT)
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
    action = cursor.expression()
    cursor.close(')', open)
  }
  return { kind: 'fairness', name, subscript: subscript!, action, at: cursor.spanFrom(start.at) }
}
