/**
 * Errors of evaluation itself. They carry no location: the diagnosing run (diagnosis.ts) adds it.
 */
import { TlaError } from '../error/error.ts'
import { isSet } from '../values/canonical.ts'
import { StackFull } from '../values/memory.ts'
import { printValue } from '../values/print.ts'
import { named } from '../values/refuse.ts'
import type { Value } from '../values/value.ts'

/** Bound on the text of a value in a message. */
const SHOWN = 300

export function failure(message: string): TlaError {
  return new TlaError('evaluation', message)
}

/** A value in a message; long ones are cut. */
export function shown(value: Value): string {
  const text = printValue(value)
  return text.length <= SHOWN ? text : `${text.slice(0, SHOWN)}…`
}

export function notBoolean(role: string, value: Value): TlaError {
  const isModelValue = typeof value === 'object' && value.kind === 'model value'
  return failure(
    `expected TRUE or FALSE as ${role}, found ${isModelValue ? named(value) : shown(value)}${setHint(role, value)}`,
  )
}

/** A hint for `S /\ T` and `S \/ T` applied to sets. */
function setHint(role: string, value: Value): string {
  if (!isSet(value)) return ''
  if (role === 'an item of a conjunction') return ': write `S \\cap T` for the intersection of sets'
  return role === 'an item of a disjunction' ? ': write `S \\cup T` for the union of sets' : ''
}

export function unassigned(name: string, isPrimed: boolean): TlaError {
  return failure(
    isPrimed
      ? `${name}' is used before it has a value: assign all of it in an earlier conjunct, as \`${name}' = ` +
          `…\` or \`${name}' \\in …\``
      : `${name} is used before it has a value: assign all of it in an earlier conjunct, as \`${name} = ` +
          `…\` or \`${name} \\in …\``,
  )
}

/** For V8's error about a string or a list beyond its limits; undefined for other errors. */
export function tooLarge(error: unknown): TlaError | undefined {
  // Subclasses are errors of norn that pass through an evaluation.
  const isOfV8 = error instanceof RangeError && Object.getPrototypeOf(error) === RangeError.prototype
  if (!isOfV8 || isStackOverflow(error)) return undefined
  return failure(
    'this makes a string or a list that is longer than JavaScript allows (a string has at most 2^29 characters)',
  )
}

/** Called with hardly any stack left, too little for a regular expression. */
export function isStackOverflow(error: unknown): boolean {
  if (error instanceof StackFull) return true
  return error instanceof RangeError && error.message === 'Maximum call stack size exceeded'
}
