/** Modules and their units. "Specifying Systems", 15.1.2 and 15.2. */
import type { AssumeSyntax, Identifier, ModuleSyntax, TheoremSyntax, Unit } from './ast.ts'
import { type Cursor, describeToken, quote } from './cursor.ts'
import { beginsDefinition, declaredOperators, definition, instantiation, recursive } from './definition.ts'
import { expression } from './expression.ts'
import { skipDirective, skipProof } from './proof.ts'
import { isSequent, sequent } from './sequent.ts'
import { beginsOperand } from './token.ts'

/** With the cursor at `---- MODULE`. */
export function moduleSyntax(cursor: Cursor): ModuleSyntax {
  if (cursor.kind === 'end') {
    cursor.fail('the text has no module: start it with `---- MODULE Name ----`, with four or more `-` on each side')
  }
  const begin = cursor.expect('begin module', '`---- MODULE Name ----`')
  cursor.enter()
  const name = cursor.word('the name of the module')
  cursor.expect('separator', '`----` after the name of the module')
  const extended: Identifier[] = []
  if (cursor.skip('EXTENDS')) {
    do extended.push(cursor.word('the name of a module'))
    while (cursor.skip(','))
  }
  const units: Unit[] = []
  while (cursor.kind !== 'end module') {
    if (cursor.skip('separator')) continue
    if (cursor.kind === 'USE' || cursor.kind === 'HIDE') skipDirective(cursor)
    else units.push(unit(cursor, name))
  }
  cursor.next()
  cursor.leave()
  return { kind: 'module', name, extends: extended, units, at: cursor.spanFrom(begin.at) }
}

function unit(cursor: Cursor, module: Identifier): Unit {
  const { token } = cursor
  switch (cursor.kind) {
    case 'VARIABLE': {
      cursor.next()
      const declared = [cursor.identifier('the name of a variable')]
      while (cursor.skip(',')) declared.push(cursor.identifier('the name of a variable'))
      return { kind: 'variables', declared, at: cursor.spanFrom(token.at) }
    }
    case 'CONSTANT': {
      cursor.next()
      const declared = declaredOperators(cursor, 'the name of a constant')
      return { kind: 'constants', declared, at: cursor.spanFrom(token.at) }
    }
    case 'RECURSIVE':
      return recursive(cursor)
    case 'LOCAL': {
      const local = cursor.next().at
      return cursor.is('INSTANCE') ? instantiation(cursor, local) : definition(cursor, local)
    }
    case 'INSTANCE':
      return instantiation(cursor, undefined)
    case 'ASSUME':
    case 'ASSUMPTION':
      return assumption(cursor)
    case 'THEOREM':
      return theorem(cursor)
    case 'begin module':
      return moduleSyntax(cursor)
    case 'identifier':
      // A name on the line of the unit before hardly starts a definition.
      if (cursor.last.at.endLine === token.at.line && !beginsDefinition(cursor)) misplaced(cursor, module)
      return definition(cursor, undefined)
    default:
      return beginsDefinition(cursor) ? definition(cursor, undefined) : misplaced(cursor, module)
  }
}

function misplaced(cursor: Cursor, module: Identifier): never {
  const text = quote(cursor.token.text)
  switch (cursor.kind) {
    case 'identifier':
      return cursor.failWithAdvice(
        `${text} neither continues the expression before it nor starts a definition`,
        'write an operator before it or `==` after it',
      )
    case 'end':
      return cursor.fail(`the module \`${module.name}\` is not closed: expected \`====\` at its end`)
    case '==':
      return cursor.failWithAdvice('`==` does not follow the name of a definition')
    case ')':
    case ']':
    case '}':
    case '>>':
      return cursor.failWithAdvice(`${text} closes nothing that is open`)
    case 'EXTENDS':
      return cursor.fail(
        '`EXTENDS` must follow the header of the module: move it there, with all modules in one list: `EXTENDS A, B`',
      )
    default:
      if (beginsOperand(cursor.kind) && cursor.last.at.endLine === cursor.token.at.line) {
        cursor.failWithAdvice(
          `${describeToken(cursor.token)} cannot follow the expression before it`,
          'write an operator between them',
        )
      }
      return cursor.unexpected('a declaration, a definition or `====`')
  }
}

/** `Name ==` of an assumption or a theorem, if it has one. */
function optionalName(cursor: Cursor): Identifier | undefined {
  if (cursor.kind !== 'identifier' || cursor.ahead(1) !== '==') return undefined
  const name = cursor.identifier('a name')
  cursor.next()
  return name
}

function assumption(cursor: Cursor): AssumeSyntax {
  const start = cursor.next()
  const name = optionalName(cursor)
  const isAxiom = start.text === 'AXIOM'
  return { kind: 'assume', isAxiom, name, body: expression(cursor), at: cursor.spanFrom(start.at) }
}

function theorem(cursor: Cursor): TheoremSyntax {
  const start = cursor.next()
  const name = optionalName(cursor)
  const body = isSequent(cursor) ? sequent(cursor) : expression(cursor)
  const at = cursor.spanFrom(start.at)
  skipProof(cursor)
  return { kind: 'theorem', name, body, at }
}
