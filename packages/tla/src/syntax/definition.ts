/** Definitions and declarations of a module or a LET. */

import type { Span } from '../error/span.ts'
import type {
  DeclaredOperator,
  Expression,
  FunctionSyntax,
  Identifier,
  InstanceSyntax,
  LetDefinition,
  ModuleDefinitionSyntax,
  OperatorSyntax,
  RecursiveSyntax,
  SubstitutionSyntax,
} from './ast.ts'
import { boundsThen } from './bound.ts'
import type { Cursor } from './cursor.ts'
import { INFIX, POSTFIX, PREFIX } from './operators.ts'
import { argument, isOperatorSymbol, operatorSymbol } from './path.ts'
import { beginsOperand } from './token.ts'

export type Definition = OperatorSyntax | FunctionSyntax | ModuleDefinitionSyntax

/**
 * Whether a definition begins some tokens ahead: its left side, and `==`. Looks past the parentheses
 * of parameters, so it is used only where nothing else decides.
 */
export function beginsDefinition(cursor: Cursor, distance = 0): boolean {
  let i = distance
  if (cursor.ahead(i) === 'LOCAL') i++
  const first = cursor.ahead(i)
  if (PREFIX.has(first)) return cursor.ahead(i + 1) === 'identifier' && cursor.ahead(i + 2) === '=='
  if (first !== 'identifier') return false
  const second = cursor.ahead(i + 1)
  if (second === '==') return true
  if (second === '(' || second === '[') return cursor.ahead(afterBrackets(cursor, i + 1)) === '=='
  if (POSTFIX.has(second)) return cursor.ahead(i + 2) === '=='
  return INFIX.has(second) && cursor.ahead(i + 2) === 'identifier' && cursor.ahead(i + 3) === '=='
}

/** Where the tokens go on after the bracket that opens there; past the end if it is not closed. */
function afterBrackets(cursor: Cursor, start: number): number {
  let depth = 0
  for (let i = start; ; i++) {
    const kind = cursor.ahead(i)
    if (kind === '(' || kind === '[') depth++
    else if (kind === ')' || kind === ']') {
      if (--depth === 0) return i + 1
    } else if (kind === 'end' || kind === 'end module' || kind === '==') return i + 1
  }
}

/** @param local the `LOCAL` before it, if any, where the definition begins then */
export function definition(cursor: Cursor, local: Span | undefined): Definition {
  const start = local ?? cursor.token.at
  const isLocal = local !== undefined
  const symbol = PREFIX.get(cursor.kind)
  if (symbol !== undefined) {
    const { at } = cursor.next()
    const parameter = plain(cursor.identifier('the name of a parameter'))
    return operator(cursor, start, isLocal, { name: symbol.name, at }, [parameter])
  }
  const first = cursor.identifier('a definition')
  if (cursor.kind === '[') {
    const open = cursor.next()
    const bounds = boundsThen(cursor, ']')
    cursor.expect('==', `\`==\` after the \`]\` that closes the \`[\` of ${open.at.line}:${open.at.column}`)
    const body = cursor.expression()
    return { kind: 'function', name: first, bounds, body, local: isLocal, at: cursor.spanFrom(start) }
  }
  if (POSTFIX.has(cursor.kind) && cursor.ahead(1) === '==') {
    const { kind, at } = cursor.next()
    return operator(cursor, start, isLocal, { name: kind, at }, [plain(first)])
  }
  if (INFIX.has(cursor.kind) && beginsInfixDefinition(cursor)) {
    const { kind, at } = cursor.next()
    const second = cursor.identifier('the name of the right parameter')
    return operator(cursor, start, isLocal, { name: kind, at }, [plain(first), plain(second)])
  }
  const parameters = cursor.kind === '(' ? parameterList(cursor) : []
  if (cursor.kind === '==' && cursor.ahead(1) === 'INSTANCE') {
    cursor.next()
    const instance = instantiation(cursor, undefined)
    return { kind: 'module definition', name: first, parameters, instance, local: isLocal, at: cursor.spanFrom(start) }
  }
  return operator(cursor, start, isLocal, first, parameters)
}

/**
 * Whether `+ y ==` follows: otherwise this is not a definition, but a stray expression or a mistyped
 * `==`.
 */
function beginsInfixDefinition(cursor: Cursor): boolean {
  return cursor.ahead(1) === 'identifier' && cursor.ahead(2) === '=='
}

function operator(
  cursor: Cursor,
  start: Span,
  local: boolean,
  name: Identifier,
  parameters: readonly DeclaredOperator[],
): OperatorSyntax {
  cursor.expect('==', `\`==\` in the definition of \`${name.name}\``)
  const body = cursor.expression()
  return { kind: 'operator', name, parameters, body, local, at: cursor.spanFrom(start) }
}

function plain(name: Identifier): DeclaredOperator {
  return { name, arity: 0 }
}

function parameterList(cursor: Cursor): DeclaredOperator[] {
  const open = cursor.next()
  const list = [declaredOperator(cursor, 'the name of a parameter')]
  while (cursor.skip(',')) list.push(declaredOperator(cursor, 'the name of a parameter'))
  const { line, column } = open.at
  cursor.expect(')', `\`,\` or \`)\` to close \`(\` of ${line}:${column}`)
  return list
}

/** `x`, `F(_, _)`, `_ + _`, `_^+`, `-. _`. @param what describes the name in messages */
export function declaredOperator(cursor: Cursor, what: string): DeclaredOperator {
  if (cursor.skip('_')) {
    const { kind, at } = cursor.token
    if (INFIX.has(kind) && cursor.kind === kind) {
      cursor.next()
      cursor.expect('_')
      return { name: { name: kind, at }, arity: 2 }
    }
    if (!POSTFIX.has(cursor.kind)) cursor.unexpected('an infix or postfix operator after `_`')
    cursor.next()
    return { name: { name: kind, at }, arity: 1 }
  }
  if (PREFIX.has(cursor.kind)) {
    const { kind, at } = cursor.next()
    cursor.expect('_')
    return { name: { name: kind, at }, arity: 1 }
  }
  const name = cursor.identifier(what)
  if (cursor.kind !== '(') return plain(name)
  const open = cursor.next()
  let arity = 0
  do {
    cursor.expect('_', '`_` for each parameter of the declared operator')
    arity++
  } while (cursor.skip(','))
  cursor.close(')', open, '`,` or ')
  return { name, arity }
}

export function declaredOperators(cursor: Cursor, what: string): DeclaredOperator[] {
  const list = [declaredOperator(cursor, what)]
  while (cursor.skip(',')) list.push(declaredOperator(cursor, what))
  return list
}

/** `RECURSIVE F(_), G(_, _)`. */
export function recursive(cursor: Cursor): RecursiveSyntax {
  const start = cursor.next()
  const declared = declaredOperators(cursor, 'the name of a recursive operator')
  return { kind: 'recursive', declared, at: cursor.spanFrom(start.at) }
}

/** `INSTANCE M WITH a <- e, + <- Plus`. */
export function instantiation(cursor: Cursor, local: Span | undefined): InstanceSyntax {
  const start = cursor.expect('INSTANCE')
  const module = cursor.identifier('the name of a module')
  const substitutions: SubstitutionSyntax[] = []
  if (cursor.skip('WITH')) {
    do substitutions.push(substitution(cursor))
    while (cursor.skip(','))
  }
  const at = cursor.spanFrom(local ?? start.at)
  return { kind: 'instance', module, substitutions, local: local !== undefined, at }
}

function substitution(cursor: Cursor): SubstitutionSyntax {
  const { token } = cursor
  let name: Identifier
  if (isOperatorSymbol(cursor.kind)) {
    cursor.next()
    name = { name: token.kind, at: token.at }
  } else name = cursor.identifier('the name of a constant or variable of the module')
  cursor.expect('<-')
  const isSymbol = isOperatorSymbol(cursor.kind) && !beginsExpressionAt(cursor)
  return { name, value: isSymbol ? operatorSymbol(cursor) : argument(cursor) }
}

/**
 * Whether an operator by symbol begins an expression here (`-1`, `+(1, 2)`) and is not an operator
 * by itself.
 */
function beginsExpressionAt(cursor: Cursor): boolean {
  const next = cursor.ahead(1)
  if (next === '(' || next === '!') return true
  const isPrefix = cursor.kind === '-' || cursor.token.isBullet || PREFIX.has(cursor.kind)
  return isPrefix && (beginsOperand(next) || PREFIX.has(next) || next === '-') && !beginsDefinition(cursor, 1)
}

/** `LET … IN e`. */
export function letExpression(cursor: Cursor): Expression {
  const start = cursor.next()
  const definitions: LetDefinition[] = []
  do {
    if (cursor.kind === 'RECURSIVE') definitions.push(recursive(cursor))
    else definitions.push(definition(cursor, cursor.skip('LOCAL')?.at))
  } while (cursor.kind !== 'IN' && continues(cursor))
  cursor.expect('IN', `a definition or \`IN\` of the \`LET\` of ${start.at.line}:${start.at.column}`)
  const body = cursor.expression()
  return { kind: 'let', definitions, body, at: cursor.spanFrom(start.at) }
}

function continues(cursor: Cursor): boolean {
  return (
    cursor.kind === 'identifier' || cursor.kind === 'LOCAL' || cursor.kind === 'RECURSIVE' || PREFIX.has(cursor.kind)
  )
}
