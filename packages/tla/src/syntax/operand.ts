/**
 * Operands: names with their paths, bracketed forms, and the constructs that start with a keyword.
 */
import { fairness } from './action.ts'
import type { Expression } from './ast.ts'
import { boundsThen, names, unboundedNames } from './bound.ts'
import { parentheses, setOrFilter, squareBrackets, tupleOrAction } from './bracket.ts'
import type { Cursor } from './cursor.ts'
import { letExpression } from './definition.ts'
import { conjunctionOrDisjunction } from './junction.ts'
import { isPathStart, path } from './path.ts'

export function openOperand(cursor: Cursor): Expression {
  switch (cursor.kind) {
    case 'IF':
      return conditional(cursor)
    case 'CASE':
      return caseExpression(cursor)
    case 'LET':
      return letExpression(cursor)
    case 'CHOOSE':
      return choose(cursor)
    default:
      return quantifier(cursor)
  }
}

export function closedOperand(cursor: Cursor): Expression {
  const { token } = cursor
  switch (cursor.kind) {
    case 'identifier':
      if (cursor.ahead(1) === '==') cursor.unexpected('an expression before the next definition')
      return path(cursor)
    case '@':
      cursor.next()
      return { kind: 'at', at: token.at }
    case 'number':
      return number(cursor)
    case 'string':
      cursor.next()
      return { kind: 'string', value: token.text, at: token.at }
    case '(':
      return parentheses(cursor)
    case '[':
      return squareBrackets(cursor)
    case '{':
      return setOrFilter(cursor)
    case '<<':
      return tupleOrAction(cursor)
    case 'WF_':
    case 'SF_':
      return fairness(cursor)
    case '/\\':
    case '\\/':
      if (token.isBullet) return conjunctionOrDisjunction(cursor)
  }
  if (isPathStart(cursor)) return path(cursor)
  return cursor.unexpected('an expression')
}

function number(cursor: Cursor): Expression {
  const whole = cursor.next()
  if (cursor.kind !== '.' || cursor.ahead(1) !== 'number') return { kind: 'number', text: whole.text, at: whole.at }
  cursor.next()
  const fraction = cursor.expect('number', 'the digits after the decimal point')
  return { kind: 'number', text: `${whole.text}.${fraction.text}`, at: cursor.spanFrom(whole.at) }
}

function conditional(cursor: Cursor): Expression {
  const start = cursor.next()
  const condition = cursor.expression()
  part(cursor, 'THEN', start.at)
  const then = cursor.expression()
  part(cursor, 'ELSE', start.at)
  const otherwise = cursor.expression()
  return { kind: 'if', condition, then, else: otherwise, at: cursor.spanFrom(start.at) }
}

function part(cursor: Cursor, word: string, start: { line: number; column: number }): void {
  cursor.expect(word, `\`${word}\` of the \`IF\` of ${start.line}:${start.column}`)
}

function caseExpression(cursor: Cursor): Expression {
  const start = cursor.next()
  const arms: { condition: Expression; body: Expression }[] = []
  let other: Expression | undefined
  do {
    if (arms.length > 0 && cursor.skip('OTHER')) {
      cursor.expect('->', '`->` after `OTHER`')
      other = cursor.expression()
      break
    }
    const condition = cursor.expression()
    cursor.expect('->', '`->` after the condition of a `CASE`')
    arms.push({ condition, body: cursor.expression() })
  } while (cursor.skip('[]'))
  return { kind: 'case', arms, other, at: cursor.spanFrom(start.at) }
}

function choose(cursor: Cursor): Expression {
  const start = cursor.next()
  const isTuple = cursor.kind === '<<'
  const chosen = isTuple ? names(cursor) : [cursor.identifier('the name of the chosen value')]
  const set = cursor.skip('\\in') ? cursor.expression() : undefined
  cursor.expect(':', set === undefined ? '`\\in` or `:`' : '`:`')
  const body = cursor.expression()
  return { kind: 'choose', names: chosen, isTuple, set, body, at: cursor.spanFrom(start.at) }
}

function quantifier(cursor: Cursor): Expression {
  const start = cursor.next()
  const name = start.kind as '\\A' | '\\E' | '\\AA' | '\\EE'
  const isTemporal = name === '\\AA' || name === '\\EE'
  if (isTemporal || unboundedNames(cursor)) {
    const bound = [cursor.identifier('the name of a bound variable')]
    while (cursor.skip(',')) bound.push(cursor.identifier('the name of a bound variable'))
    cursor.expect(':', '`,` or `:`')
    const body = cursor.expression()
    return { kind: 'unbounded quantifier', name, names: bound, body, at: cursor.spanFrom(start.at) }
  }
  const bounds = boundsThen(cursor, ':')
  const body = cursor.expression()
  return { kind: 'quantifier', name: name as '\\A' | '\\E', bounds, body, at: cursor.spanFrom(start.at) }
}
