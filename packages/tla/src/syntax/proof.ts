/**
 * Proofs, and the USE and HIDE directives of the proof system: skipped token by token, since
 * nothing in a check depends on them.
 *
 * After "TLA+2: A Preliminary Guide" (Lamport 2018). A step `<3>` belongs to the proof of its
 * level, a step of a higher level starts a proof of the step before, and so does `<+>`; `<*>` is a
 * step of the current level. QED ends a level.
 */
import type { Cursor } from './cursor.ts'
import { beginsDefinition } from './definition.ts'
import type { TokenKind } from './token.ts'

const BEGINS_PROOF: ReadonlySet<TokenKind> = new Set(['PROOF', 'BY', 'OBVIOUS', 'OMITTED', 'step'])
const BEGINS_UNIT: ReadonlySet<TokenKind> = new Set([
  ...['ASSUME', 'ASSUMPTION', 'CONSTANT', 'HIDE', 'INSTANCE', 'LOCAL', 'RECURSIVE', 'USE', 'VARIABLE', 'separator'],
])
/** A step after one of these is named as a fact: `BY <1>1, <1>2`. */
const BEFORE_FACT: ReadonlySet<TokenKind> = new Set(['BY', 'ONLY', 'USE', 'HIDE', ',', '('])
/** Tokens that do not occur in proofs, and so end an unfinished one. */
const ENDS_PROOF: ReadonlySet<TokenKind> = new Set(['THEOREM', 'begin module', 'end module', 'end', 'error'])

/** Skips the proof that starts here, if one does, to the next unit of the module. */
export function skipProof(cursor: Cursor): void {
  if (BEGINS_PROOF.has(cursor.kind)) skipToUnit(cursor)
}

/** Skips `USE F DEF Op` or `HIDE F`, with the cursor at the first word. */
export function skipDirective(cursor: Cursor): void {
  cursor.next()
  skipToUnit(cursor)
}

/** Skips to the first unit after the QED of every level. */
function skipToUnit(cursor: Cursor): void {
  /** The levels that have no QED yet, outermost first. */
  const levels: number[] = []
  // A definition in a LET is not a unit.
  let lets = 0
  for (; !ENDS_PROOF.has(cursor.kind); cursor.next()) {
    const { kind } = cursor
    if (levels.length + lets === 0 && (BEGINS_UNIT.has(kind) || beginsDefinition(cursor))) return
    if (kind === 'LET') lets++
    else if (kind === 'IN') lets = Math.max(0, lets - 1)
    else if (kind === 'QED') levels.pop()
    else if (kind === 'step' && !BEFORE_FACT.has(cursor.ahead(-1))) {
      const level = Number.parseInt(cursor.token.text.slice(1), 10)
      const around = levels.at(-1) ?? -1
      const isFirst = levels.length === 0 || level > around || cursor.ahead(-1) === 'PROOF'
      if (isFirst || cursor.token.text.startsWith('<+>')) levels.push(Number.isNaN(level) ? around + 1 : level)
    }
  }
}
