/**
 * How an execution ended, and the error thrown to end it.
 *
 * Invariant: a `Termination` is recognised by identity, whatever a program throws.
 */
import type { FailureKind } from '../../contract/execution.ts'
import type { InconclusiveReason } from '../../contract/inconclusive.ts'
import { OVERFLOW_MESSAGE } from '../../contract/stack-overflow.ts'

export interface Failure {
  readonly kind: FailureKind
  readonly error: unknown
}

export type Ending =
  | { readonly kind: 'passed' }
  | { readonly kind: 'failed'; readonly failure: Failure }
  | { readonly kind: 'inconclusive'; readonly reason: InconclusiveReason; readonly stack: string }

/**
 * Thrown into a program to end it. The ending is recorded already, so a program that catches it
 * runs only until it returns to the loop.
 */
export class Termination extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'Termination'
    terminations.add(this)
  }
}

/**
 * A termination that passes through console.log, which swallows every error of its stream but a
 * stack overflow, recognised by name and message (lib/internal/util.js, `isStackOverflowError`).
 */
export function loudTermination(): Termination {
  return Object.assign(new Termination(OVERFLOW_MESSAGE), { name: 'RangeError' })
}

const terminations = new WeakSet<object>()

/** Reads no property of the value: a program may throw a proxy whose every trap throws. */
export function isTermination(value: unknown): boolean {
  return typeof value === 'object' && value !== null && terminations.has(value)
}
