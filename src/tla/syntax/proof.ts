/**
 * Proofs: read in full, so that their end is found and what is wrong in them is told, and then dropped.
 *
 * After "TLA+2: A Preliminary Guide" (Lamport 2018). A step `<3>` belongs to the proof of its level; a step of a higher level
 * begins a proof of the step before, `<+>` always does, and `<*>` stands for the level it is in; neither of these two names
 * its step.
 */
import { bound } from './bound.ts'
import { type Cursor, quote } from './cursor.ts'
import { beginsDefinition, declaredOperator, definition, instantiation } from './definition.ts'
import { expression, expressions } from './expression.ts'
import { beginsOperand, namesStep } from './operand.ts'
import { PREFIX } from './operators.ts'
import { isOperatorSymbol } from './path.ts'
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
      do definition(cursor, undefined)
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
        do definition(cursor, undefined)
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
export function useOrHide(cursor: Cursor): void {
  const start = cursor.next()
  if (start.kind === 'USE') cursor.skip('ONLY')
  facts(cursor)
}

/** `F, MODULE M DEF Op, +`, either part of which may be missing. */
function facts(cursor: Cursor): void {
  if (beginsFact(cursor)) factList(cursor)
  if (cursor.skip('DEF')) factList(cursor)
}

function beginsFact(cursor: Cursor): boolean {
  const { kind } = cursor
  if (kind === 'step') return namesStep(cursor)
  if (kind === 'identifier' || isOperatorSymbol(kind)) return !beginsDefinition(cursor)
  return kind === 'MODULE' || beginsOperand(kind)
}

function factList(cursor: Cursor): void {
  do {
    if (cursor.skip('MODULE')) cursor.word('the name of a module')
    else if (isOperatorSymbol(cursor.kind) && isAlone(cursor)) cursor.next()
    else expression(cursor)
  } while (cursor.skip(','))
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
export function sequent(cursor: Cursor): void {
  cursor.enter()
  if (cursor.skip('identifier')) cursor.next()
  const start = cursor.next()
  do {
    if (isSequent(cursor)) sequent(cursor)
    else if (NEW.has(cursor.kind)) newSymbol(cursor)
    else expression(cursor)
  } while (cursor.skip(','))
  if (!cursor.skip('[]PROVE')) {
    cursor.expect('PROVE', `\`,\` or \`PROVE\` of the \`ASSUME\` of ${start.at.line}:${start.at.column}`)
  }
  expression(cursor)
  cursor.leave()
}

const NEW = new Set(['NEW', 'CONSTANT', 'VARIABLE', 'STATE', 'ACTION', 'TEMPORAL'])

function newSymbol(cursor: Cursor): void {
  const isNew = cursor.skip('NEW') !== undefined
  const { kind } = cursor
  if (kind === 'VARIABLE') {
    cursor.next()
    cursor.identifier('the name of a variable')
    return
  }
  const isConstant = kind === 'CONSTANT' || (isNew && !NEW.has(kind))
  if (NEW.has(kind)) cursor.next()
  const { arity } = declaredOperator(cursor, 'the name that is assumed')
  if (isConstant && arity === 0 && cursor.skip('\\in')) expression(cursor)
}
