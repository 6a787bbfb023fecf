/** Histories: what processes did to shared objects, and when. */

/**
 * How an operation ended. One that is `unknown` may have taken effect at any time after its call, or
 * never; one that has failed has not.
 *
 * @public
 */
export type Outcome = 'ok' | 'fail' | 'unknown'

/**
 * An operation of a process on a shared object.
 *
 * @public
 */
export interface Operation<Input = unknown, Output = unknown> {
  /** A process runs one operation at a time. */
  readonly process: number | string
  readonly input: Input
  /** What it returned; undefined unless the outcome is `ok`. */
  readonly output: Output | undefined
  readonly outcome: Outcome
  /**
   * When it was called and when it returned, in any unit. Intervals are closed: two that touch are
   * concurrent.
   */
  readonly call: number
  /** Infinite if the outcome is `unknown`. */
  readonly return: number
  /** The lines of the call and of the return in the file it was read from, from 1. */
  readonly line?: number
  readonly returnLine?: number
}

/**
 * What processes did to shared objects, and when.
 *
 * @public
 */
export interface History<Input = unknown, Output = unknown> {
  /** In the order of their calls. */
  readonly operations: readonly Operation<Input, Output>[]
}
