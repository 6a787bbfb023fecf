/**
 * What people write after the names of a declaration that cannot stand there: a value, a type, or one more name without a
 * comma. TLA+ says these things elsewhere, and the message says where.
 */
import type { Unit } from './ast.ts'
import { type Cursor, quote } from './cursor.ts'
import { beginsDefinition } from './definition.ts'
import { configurationWord, foreignWord } from './foreign.ts'
import { INFIX, POSTFIX } from './operators.ts'
import type { TokenKind } from './token.ts'

/** Whether what stands after a name lets it be one more of a declaration, and not the beginning of a formula about it. */
function mayFollowName(kind: TokenKind): boolean {
  return !INFIX.has(kind) && !POSTFIX.has(kind) && kind !== ':' && kind !== '::' && kind !== '<-' && kind !== '|->'
}

/**
 * Refuses what seems to continue a declaration, with the cursor at what neither continues it nor begins a definition. Leaves
 * alone what is no such mistake.
 *
 * @param previous the unit before
 */
export function mustNotContinue(cursor: Cursor, previous: Unit): void {
  if (previous.kind !== 'constants' && previous.kind !== 'variables') return
  const isConstant = previous.kind === 'constants'
  const names = previous.kind === 'constants' ? previous.declared.map(({ name }) => name) : previous.declared
  const last = names[names.length - 1]!
  const { kind, text } = cursor.token
  const found = quote(text)
  const start = `${found} cannot follow the declaration of ${quote(last.name)}`
  if (kind === 'identifier') {
    // `def F(x) ==`: the word is wrong, and no comma is missing.
    if (cursor.isFollowedOnLine() && cursor.ahead(1) === 'identifier' && beginsDefinition(cursor, 1)) return
    if (foreignWord(text) !== undefined || configurationWord(text) !== undefined || !mayFollowName(cursor.ahead(1)))
      return
    cursor.failWithAdvice(
      `${found} follows the declaration of ${quote(last.name)} without a comma: expected \`,\` between them` +
        `, or \`==\` after ${found} if it is a definition`,
    )
  }
  if (kind === '=' || kind === '<-' || kind === ':=') {
    cursor.fail(
      isConstant
        ? `${start}: a constant gets its value in the configuration (\`CONSTANT ${last.name} = …\`), ` +
            `or is a definition, \`${last.name} == …\` without \`CONSTANT\``
        : `${start}: ${firstValue(last.name)}`,
    )
  }
  if (kind === '==') {
    const keyword = quote(isConstant ? 'CONSTANT' : 'VARIABLE')
    const where = `the ${keyword} of ${previous.at.line}:${previous.at.column}`
    if (names.length === 1 && last.at.line > previous.at.line) {
      cursor.fail(`expected names after ${where}, found the definition of ${quote(last.name)}`, last.at)
    }
    cursor.fail(
      `${start}: a definition is written without ${keyword}${isConstant ? '' : `, and ${firstValue(last.name)}`}`,
    )
  }
  if (kind === ':' || kind === '\\in' || kind === '\\subseteq') {
    cursor.fail(
      `${start}: TLA+ declares no types, and what is known of a ` +
        (isConstant
          ? `constant is stated by \`ASSUME ${last.name} \\in …\``
          : `variable is stated by an invariant, as in \`TypeOK == ${last.name} \\in …\``),
    )
  }
}

function firstValue(name: string): string {
  return `the first value of a variable is given by the initial predicate, as in \`Init == ${name} = …\``
}
