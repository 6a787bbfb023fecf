/** Modules and what they are made of. "Specifying Systems", 15.1.2 and 15.2. */
import type { AssumeSyntax, Identifier, ModuleSyntax, TheoremSyntax, Unit } from './ast.ts'
import { type Cursor, describeToken, quote } from './cursor.ts'
import { mustNotContinue } from './declaration.ts'
import {
  beginsDefinition,
  declaredOperators,
  definition,
  instantiation,
  nextIsDeclared,
  recursive,
} from './definition.ts'
import { expression } from './expression.ts'
import { beginsOperand } from './operand.ts'
import { beginsProof, isSequent, proof, sequent, useOrHide } from './proof.ts'

/** With the cursor at `---- MODULE`. */
export function moduleSyntax(cursor: Cursor): ModuleSyntax {
  if (cursor.kind === 'end') noModule(cursor)
  const begin = cursor.expect('begin module', '`---- MODULE Name ----`')
  cursor.enter()
  const name = cursor.word('the name of the module')
  if (!cursor.is('separator')) unfinishedHeader(cursor, name)
  cursor.next()
  const extended: Identifier[] = []
  if (cursor.skip('EXTENDS')) {
    do extended.push(cursor.word('the name of a module'))
    while (cursor.skip(','))
  }
  const units: Unit[] = []
  while (cursor.kind !== 'end module') {
    if (cursor.skip('separator')) continue
    units.push(unit(cursor, name, units[units.length - 1]))
  }
  cursor.next()
  cursor.leave()
  return { kind: 'module', name, extends: extended, units, at: cursor.spanFrom(begin.at) }
}

/** Points at a line that looks like a header and is none. */
function noModule(cursor: Cursor): never {
  const { source } = cursor.token.at
  const message = 'the text holds no module: expected a line `---- MODULE Name ----`'
  const lines = source.text.split(/\r\n|\n|\r/)
  const index = lines.findIndex((line) => /^\W*module\s+\w+\W*$/i.test(line))
  if (index === -1) cursor.fail(message)
  const [, before, word] = /^(\W*)(\w+)/.exec(lines[index]!)!
  const at = { source, line: index + 1, column: 1, endLine: index + 1, endColumn: lines[index]!.trimEnd().length }
  if (word !== 'MODULE') cursor.fail(`${message}, with \`MODULE\` in capitals`, at)
  if (!/-{4,} *$/.test(before!))
    cursor.fail(`${message}, with four \`-\` or more before \`MODULE\` and after the name`, at)
  return cursor.fail(message, at)
}

/** The mark that ends a header is missed where the header ends, not at what follows on another line. */
function unfinishedHeader(cursor: Cursor, { name, at }: Identifier): never {
  if (cursor.token.kind === 'error' || cursor.token.at.line === at.line) {
    cursor.unexpected('`----` after the name of the module')
  }
  return cursor.fail(`expected \`----\` after the name of the module: \`---- MODULE ${name} ----\``, at)
}

/** @param previous what stands before it */
function unit(cursor: Cursor, module: Identifier, previous: Unit | undefined): Unit {
  const { token } = cursor
  switch (cursor.kind) {
    case 'VARIABLE': {
      cursor.next()
      const declared = [cursor.identifier('the name of a variable')]
      while (nextIsDeclared(cursor)) declared.push(cursor.identifier('the name of a variable'))
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
    case 'USE':
    case 'HIDE':
      return useOrHide(cursor)
    case 'identifier':
      if (!beginsDefinition(cursor)) {
        if (previous !== undefined) mustNotContinue(cursor, previous)
        // What stands on the line of what is before it was hardly meant to begin a definition.
        if (cursor.last.at.endLine === token.at.line) misplaced(cursor, module)
      }
      return definition(cursor, undefined)
    default:
      if (beginsDefinition(cursor)) return definition(cursor, undefined)
      if (previous !== undefined) mustNotContinue(cursor, previous)
      return misplaced(cursor, module)
  }
}

function misplaced(cursor: Cursor, module: Identifier): never {
  const text = quote(cursor.token.text)
  switch (cursor.kind) {
    case 'identifier': {
      const message = `${text} can neither continue what stands before it nor begin a definition`
      const advice = cursor.advice('a unit')
      return cursor.fail(`${message}: ${advice ?? 'expected an operator before it or `==` after it'}`)
    }
    case 'end':
      return cursor.fail(`the module \`${module.name}\` is not closed: expected \`====\` at its end`)
    case '==':
      return cursor.fail('`==` does not follow what can be defined: is something missing before the definition?')
    case ')':
    case ']':
    case '}':
    case '>>':
      return cursor.fail(`${text} closes nothing: what it would close has ended before it or never began`)
    case 'EXTENDS':
      return cursor.fail(
        '`EXTENDS` must stand right after the header of the module, once: one `EXTENDS` names all modules, with commas between',
      )
    default:
      if (beginsOperand(cursor.kind) && cursor.last.at.endLine === cursor.token.at.line) {
        const advice = cursor.advice(undefined) ?? juxtaposed(cursor)
        return cursor.fail(`${describeToken(cursor.token)} cannot continue what stands before it: ${advice}`)
      }
      return cursor.unexpected('a declaration, a definition or `====`', 'a unit')
  }
}

/** Two operands side by side. */
function juxtaposed(cursor: Cursor): string {
  if (cursor.kind === '<<') return 'expected an operator between (`<<` begins a tuple: nothing shifts bits)'
  if (cursor.kind === '(' && cursor.ahead(-2) === '.') {
    return 'a field is no operator; what a module defines is written `I!Op(x)` of an instance `I`, and `Op(x)` of a module that is extended'
  }
  return 'expected an operator between'
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
  const first = cursor.token
  const hasProof = beginsProof(cursor)
  if (hasProof) proof(cursor)
  return {
    kind: 'theorem',
    name,
    body,
    proof: hasProof ? cursor.spanFrom(first.at) : undefined,
    at: cursor.spanFrom(start.at),
  }
}
