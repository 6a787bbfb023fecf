/** What a check of linearizability takes and says. */

/**
 * What `checkLinearizable` checks, and its bounds.
 *
 * @public
 */
export interface LinearizabilityOptions {
  /**
   * `sequential` keeps the order of each process instead of the order of time (Lamport 1979). Default:
   * `linearizable` (Herlihy and Wing 1990).
   */
  readonly consistency?: 'linearizable' | 'sequential'
  /** At most this many steps of the search; past it the verdict is `unknown`. Default: no bound. */
  readonly steps?: number
  /** At most this many milliseconds, likewise. Default: no bound. */
  readonly budgetMs?: number
  /** The memory of the caches, likewise, beside the history itself. Default: 1024. */
  readonly memoryMb?: number
  /** A clock in milliseconds, for `budgetMs`. */
  readonly now?: () => number
}

/**
 * What `checkLinearizable` found.
 *
 * @public
 */
export type LinearizabilityResult = LinearizableResult | IllegalResult | UnknownResult

/**
 * The operations can be put in an order that is allowed.
 *
 * @public
 */
export interface LinearizableResult {
  readonly verdict: 'ok'
  /**
   * An order for each partition: indices of operations in the history. Operations that had no effect
   * or of which nothing is known are left out. Empty for a large one that was decided without search.
   */
  readonly linearizations: readonly (readonly number[])[]
}

/**
 * No order of the operations is allowed: where, and how far orders get.
 *
 * The window, the longest orders and the explanation are computed, together, when one of them is first
 * read, which throws a ModelError if the model is wrong; until then the result keeps the history and the
 * states that were met.
 *
 * @public
 */
export interface IllegalResult {
  readonly verdict: 'illegal'
  /** The object that the operations work on, see `ObjectModel.partition`; undefined if there is one. */
  readonly partition: unknown
  readonly window: Window
  /** Partial linearizations that get furthest, longest first: indices of operations in the history. */
  readonly longest: readonly (readonly number[])[]
  /** For people, one or several lines. */
  readonly explanation: string
}

/**
 * Operations that cannot be ordered.
 *
 * @public
 */
export interface Window {
  /** When the first of them is called and the last of them returns, in the history's unit. */
  readonly from: number
  readonly to: number
  /** Their indices in the history, in its order. */
  readonly operations: readonly number[]
}

/**
 * A bound was reached before a verdict.
 *
 * @public
 */
export interface UnknownResult {
  readonly verdict: 'unknown'
  /** What ran out, and what to do. */
  readonly reason: string
}
