/** Evaluation errors, and how they name values. */
import { TlaError } from '../error/error.ts'
import { printCut } from './print.ts'
import type { Value } from './value.ts'

/** An evaluation error; its location is added by a caller that knows it. */
export function refusal(message: string): TlaError {
  return new TlaError('evaluation', message)
}

/** `the integer 1`, `the record [a |-> 1]`; cut if long. */
export function named(value: Value): string {
  return `the ${kindName(value)} ${printCut(value)}`
}

/** The kind of a value in TLA+'s terms. */
export function kindName(value: Value): string {
  if (typeof value === 'number') return 'integer'
  if (typeof value === 'boolean') return 'boolean'
  switch (value.kind) {
    case 'symbolic set':
      return 'set'
    case 'rule function':
      return 'function'
    default:
      return value.kind
  }
}
