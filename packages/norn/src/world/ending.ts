/**
 * How an execution ended: the forms that an ending has, and what is thrown to bring one about.
 *
 * Invariant: norn's own `Termination` is told from anything that a program throws, however it looks.
 */
import type { FailureKind } from '../contract/execution.ts'
import type { InconclusiveReason } from '../contract/inconclusive.ts'
import { OVERFLOW_MESSAGE } from './stack-overflow.ts'

export interface Failure {
  readonly kind: FailureKind
  readonly error: unknown
}

export type Ending =
  | { readonly kind: 'passed' }
  | { readonly kind: 'failed'; readonly failure: Failure }
  | { readonly kind: 'inconclusive'; readonly reason: InconclusiveReason; readonly stack: string }

/**
 * Thrown into a program to end it. A program that catches it goes on only until it returns to the loop: the ending is
 * noted already.
 */
export class Termination extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'Termination'
    made.add(this)
  }
}

/**
 * A termination that console.log lets through as well: of what the stream under it throws, it swallows all but an
 * overflow of the stack, which it tells by name and message (lib/internal/util.js, `isStackOverflowError`).
 */
export function loudTermination(): Termination {
  return Object.assign(new Termination(OVERFLOW_MESSAGE), { name: 'RangeError' })
}

const made = new WeakSet<object>()

/** Asks nothing of the value itself: a program may throw a proxy that answers every question by throwing. */
export function isTermination(value: unknown): boolean {
  return typeof value === 'object' && value !== null && made.has(value)
}
