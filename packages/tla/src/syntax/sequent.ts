/** What a theorem states if it is not a formula: `ASSUME NEW x \in S, P PROVE Q`. */
import type { Expression, NewSymbolSyntax, SequentSyntax } from './ast.ts'
import type { Cursor } from './cursor.ts'
import { declaredOperator } from './definition.ts'
import { expression } from './expression.ts'

/** Whether an ASSUME/PROVE begins here, with a label or without. */
export function isSequent(cursor: Cursor): boolean {
  if (cursor.kind === 'ASSUME' || cursor.kind === '[]ASSUME') return true
  return cursor.kind === 'identifier' && cursor.ahead(1) === '::' && /ASSUME$/.test(cursor.ahead(2))
}

/** `ASSUME NEW x \in S, P PROVE Q`. */
export function sequent(cursor: Cursor): SequentSyntax {
  cursor.enter()
  // What a label of a whole sequent names has no value, so nothing can refer to it.
  if (cursor.skip('identifier')) cursor.next()
  const start = cursor.next()
  const assumed: (Expression | SequentSyntax | NewSymbolSyntax)[] = []
  do {
    if (isSequent(cursor)) assumed.push(sequent(cursor))
    else if (SORTS.has(cursor.kind)) assumed.push(newSymbol(cursor))
    else assumed.push(expression(cursor))
  } while (cursor.skip(','))
  if (!cursor.skip('[]PROVE')) {
    cursor.expect('PROVE', `\`,\` or \`PROVE\` of the \`ASSUME\` of ${start.at.line}:${start.at.column}`)
  }
  const proved = expression(cursor)
  cursor.leave()
  return { kind: 'sequent', assumed, proved, at: cursor.spanFrom(start.at) }
}

/** The first word of a declaration, and the sort that it declares. */
const SORTS: ReadonlyMap<string, NewSymbolSyntax['sort']> = new Map([
  ['NEW', 'constant'],
  ['CONSTANT', 'constant'],
  ['VARIABLE', 'variable'],
  ['STATE', 'state'],
  ['ACTION', 'action'],
  ['TEMPORAL', 'temporal'],
])

function newSymbol(cursor: Cursor): NewSymbolSyntax {
  const start = cursor.token.at
  cursor.skip('NEW')
  const sort = SORTS.get(cursor.kind) ?? 'constant'
  if (cursor.kind !== 'NEW' && SORTS.has(cursor.kind)) cursor.next()
  const what = sort === 'variable' ? 'the name of a variable' : 'the name of an assumed symbol'
  const declared = sort === 'variable' ? { name: cursor.identifier(what), arity: 0 } : declaredOperator(cursor, what)
  const takesSet = sort === 'constant' && declared.arity === 0
  const set = takesSet && cursor.skip('\\in') ? expression(cursor) : undefined
  return { kind: 'new', sort, declared, set, at: cursor.spanFrom(start) }
}
