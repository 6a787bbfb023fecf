/**
 * Proofs: read in full, so that their end is found and what is wrong in them is told, and then dropped. What a theorem states,
 * and what USE and HIDE name between definitions, is kept.
 *
 * After "TLA+2: A Preliminary Guide" (Lamport 2018). A step `<3>` belongs to the proof of its level; a step of a higher level
 * begins a proof of the step before, `<+>` always does, and `<*>` stands for the level it is in; neither of these two names
 * its step.
 */
import type {
  Argument,
  Expression,
  FactsSyntax,
  Identifier,
  NewSymbolSyntax,
  ProofStepSyntax,
  SequentSyntax,
} from './ast.ts'
import { bound } from './bound.ts'
import { type Cursor, quote } from './cursor.ts'
import { beginsDefinition, declaredOperator, definition, instantiation } from './definition.ts'
import { expression, expressions } from './expression.ts'
import { beginsOperand, namesStep } from './operand.ts'
import { PREFIX } from './operators.ts'
import { asArgument, isOperatorSymbol, operatorSymbol } from './path.ts'
import type { Token } from './token.ts'

/** The level of a step token; -1 for `<*>`, -2 for `<+>`. */
function levelOf({ text }: Token): number {
  if (text[1] === '*') return -1
  if (text[1] === '+') return -2
  return Number.parseInt(text.slice(1), 10)
}

/** Whether the proof of what has just been stated begins here. */
export function beginsProof(cursor: Cursor): boolean {
  switch (cursor.kind) {
    case 'BY':
    case 'PROOF':
    case 'OBVIOUS':
    case 'OMITTED':
      return true
    case 'step': {
      const { proofLevels, token } = cursor
      const level = levelOf(token)
      if (level === -2 || proofLevels.length === 0) return true
      return level >= 0 && level > proofLevels[proofLevels.length - 1]!
    }
    default:
      return false
  }
}

export function proof(cursor: Cursor): void {
  cursor.enter()
  cursor.proofLevels.push(-1)
  cursor.skip('PROOF')
  switch (cursor.kind) {
    case 'BY':
      cursor.next()
      cursor.skip('ONLY')
      facts(cursor)
      break
    case 'OBVIOUS':
    case 'OMITTED':
      cursor.next()
      break
    default:
      while (!step(cursor));
  }
  cursor.proofLevels.pop()
  cursor.leave()
}

/** @returns whether it was the QED step, which ends the proof */
function step(cursor: Cursor): boolean {
  const number = cursor.token
  cursor.expect('step', 'a step of the proof (`QED` is the last one)')
  checkLevel(cursor, number)
  if (/^<[*+]>\w/.test(number.text)) {
    cursor.fail(
      `${quote(number.text)} cannot name a step: write the number of its level between \`<\` and \`>\``,
      number.at,
    )
  }
  let takesProof = true
  let isLast = false
  switch (cursor.kind) {
    case 'QED':
      cursor.next()
      isLast = true
      break
    case 'USE':
    case 'HIDE':
      useOrHide(cursor)
      takesProof = false
      break
    case 'INSTANCE':
      instantiation(cursor, undefined)
      takesProof = false
      break
    case 'DEFINE':
      cursor.next()
      do definition(cursor, cursor.skip('LOCAL')?.at)
      while (beginsDefinition(cursor))
      takesProof = false
      break
    case 'HAVE':
      cursor.next()
      expression(cursor)
      takesProof = false
      break
    case 'WITNESS':
      cursor.next()
      expressions(cursor)
      takesProof = false
      break
    case 'TAKE':
      cursor.next()
      boundsOrNames(cursor)
      takesProof = false
      break
    case 'PICK':
      cursor.next()
      boundsOrNames(cursor)
      cursor.expect(':', '`,` or `:`')
      expression(cursor)
      break
    case 'CASE':
      cursor.next()
      expression(cursor)
      break
    default:
      if (beginsDefinition(cursor)) {
        do definition(cursor, cursor.skip('LOCAL')?.at)
        while (beginsDefinition(cursor))
        takesProof = false
        break
      }
      cursor.skip('SUFFICES')
      if (isSequent(cursor)) sequent(cursor)
      else expression(cursor)
  }
  if (beginsProof(cursor)) {
    if (!takesProof) cursor.fail(`the step ${quote(number.text)} takes no proof`)
    proof(cursor)
  }
  return isLast
}

/** The first step gives a proof its level; the others must be of it. */
function checkLevel(cursor: Cursor, number: Token): void {
  const { proofLevels } = cursor
  const depth = proofLevels.length - 1
  const outer = depth > 0 ? proofLevels[depth - 1]! : -1
  const own = proofLevels[depth]!
  const level = levelOf(number)
  const isFirst = own < 0
  if (isFirst) proofLevels[depth] = level < 0 ? outer + 1 : level
  const isRight = isFirst ? level < 0 || level > outer : level === -1 || level === own
  if (!isRight) {
    const expected = isFirst ? `a level above ${outer}` : `\`<${own}>\``
    cursor.fail(`expected a step of ${expected}, found ${quote(number.text)}`, number.at)
  }
}

/** `USE F, MODULE M DEF Op`, `HIDE …`. */
export function useOrHide(cursor: Cursor): ProofStepSyntax {
  const start = cursor.next()
  const isHide = start.kind === 'HIDE'
  if (!isHide) cursor.skip('ONLY')
  return { kind: 'proof step', isHide, facts: facts(cursor), at: cursor.spanFrom(start.at) }
}

/** `F, MODULE M DEF Op, +`, either part of which may be missing. */
function facts(cursor: Cursor): FactsSyntax {
  const modules: Identifier[] = []
  const facts = beginsFact(cursor) ? factList(cursor, modules) : []
  const definitions = cursor.skip('DEF') ? factList(cursor, modules) : []
  return { facts, definitions, modules }
}

function beginsFact(cursor: Cursor): boolean {
  const { kind } = cursor
  if (kind === 'step') return namesStep(cursor)
  if (kind === 'identifier' || isOperatorSymbol(kind)) return !beginsDefinition(cursor)
  return kind === 'MODULE' || beginsOperand(kind)
}

/** @param modules gets those that are named */
function factList(cursor: Cursor, modules: Identifier[]): Argument[] {
  const list: Argument[] = []
  do {
    if (cursor.skip('MODULE')) modules.push(cursor.word('the name of a module'))
    else if (isOperatorSymbol(cursor.kind) && isAlone(cursor)) list.push(operatorSymbol(cursor))
    else list.push(asArgument(expression(cursor)))
  } while (cursor.skip(','))
  return list
}

/** Whether an operator by symbol stands for itself here: `BY DEF +, \prec`. */
function isAlone(cursor: Cursor): boolean {
  const { kind, token } = cursor
  const beginsExpression = kind === '-' || token.isBullet || (PREFIX.has(kind) && kind !== '-.')
  const next = cursor.ahead(1)
  return !beginsExpression && next !== '(' && next !== '!'
}

function boundsOrNames(cursor: Cursor): void {
  do {
    if (cursor.kind === '<<') bound(cursor)
    else {
      cursor.identifier('the name of a bound variable')
      if (cursor.skip('\\in')) expression(cursor)
    }
  } while (cursor.skip(','))
}

// Sequents

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

/** What begins the declaration of a symbol, and what it declares. */
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
  const what = sort === 'variable' ? 'the name of a variable' : 'the name that is assumed'
  const declared = sort === 'variable' ? { name: cursor.identifier(what), arity: 0 } : declaredOperator(cursor, what)
  const takesSet = sort === 'constant' && declared.arity === 0
  const set = takesSet && cursor.skip('\\in') ? expression(cursor) : undefined
  return { kind: 'new', sort, declared, set, at: cursor.spanFrom(start) }
}
