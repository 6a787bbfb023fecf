/** The sequential specification of a shared object. */

/**
 * @typeParam State an immutable value
 */
export interface ObjectModel<State = unknown, Input = unknown, Output = unknown> {
  /** For people. */
  readonly name: string
  init(): State
  /**
   * The state after an operation; several if it may lead to several, undefined or none if it cannot
   * happen in this state.
   *
   * @param output undefined if the outcome is unknown: then whatever it may have returned is possible
   */
  step(state: State, input: Input, output: Output | undefined, isKnown: boolean): State | States<State> | undefined
  /**
   * The same for equal states only. By default states are equal if they are the same value, or
   * structures of equal values.
   */
  key?(state: State): unknown
  /**
   * Which independent object an operation belongs to, such as its key; by default there is one. If
   * given, a state is the state of one such object.
   */
  partition?(input: Input): unknown
  /**
   * Whether such an operation leaves every state in which it can happen as it is. A hint: a check
   * that knows need not try the orders of reads. By default nothing is known.
   */
  isRead?(input: Input, output: Output | undefined, isKnown: boolean): boolean
  /** A hint: an object that mostly grows gets beyond what a read returned, and never comes back. */
  readonly growth?: Growth<State, Input, Output>
  /** An operation for people: `write(3)`, `read() = 4`. */
  describe?(input: Input, output: Output | undefined, isKnown: boolean): string
}

/**
 * What lets a check give up on states that have grown past what is still to be read.
 *
 * @public
 */
export interface Growth<State, Input, Output> {
  /** Whether such an operation may lead back. */
  shrinks(input: Input): boolean
  /**
   * Whether an operation may be possible in this state, or after operations that do not shrink. Only
   * asked of those whose output is known.
   */
  mayFollow(state: State, input: Input, output: Output | undefined): boolean
}

/** Several states, which a plain array as a state could not be told from. */
export class States<State> {
  readonly states: readonly State[]

  constructor(states: readonly State[]) {
    this.states = states
  }
}
