/** Why a test that passes on stock Node does not pass in the world. */

/**
 * `time bound`: the test says how long something may take at most, or counts on timers of different
 * lengths not to be late; no machine keeps that. `early timer`: the test does not allow that a
 * timer fires a part of a millisecond early, which it does on stock Node too, as its clock has
 * whole milliseconds. `stream bound`: the test counts on a write to arrive in one piece, which TCP
 * does not promise. `fixed order`: it counts on an order of independent operations. `limit`: what
 * norn does not hide or do (docs/what-is-controlled.md). `finding`: an error of the package
 * (docs/findings.md). `too heavy`: takes longer than an execution may, and is not run.
 */
export type ExpectedKind =
  | 'time bound'
  | 'early timer'
  | 'stream bound'
  | 'fixed order'
  | 'limit'
  | 'finding'
  | 'too heavy'

export interface Expected {
  readonly kind: ExpectedKind
  readonly package: string
  readonly file: string
  readonly tests: readonly string[]
  /** What the failures say; any if it is not given. */
  readonly message?: RegExp
  readonly reason: string
}
