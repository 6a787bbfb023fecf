/**
 * The interface of models: abstract states, and named actions that lead from one to others. A
 * follower applies one action after another, and learns in which states the execution may be.
 *
 * Implemented by TypeScript models (typescript-model.ts) and by TLA+ specifications. After the
 * controlled model checker of ModelFuzz, which stutters at a disabled action; here the model says
 * why it is disabled.
 */

/**
 * The parameters of an action, in the order of its definition; plain data.
 *
 * @public
 */
export type Parameters = readonly unknown[]

/**
 * One abstract state.
 *
 * @public
 */
export interface AbstractState {
  /**
   * The identity of the state, or of its projection for coverage, in this process: equal for equal
   * states, without collisions.
   */
  readonly id: number
  /** The state as plain data; not to be changed. */
  readonly value: unknown
}

/**
 * The result of an action.
 *
 * @public
 */
export type Applied =
  /** The states that the execution may be in now: several if the model is nondeterministic. */
  | { readonly enabled: true; readonly states: readonly AbstractState[] }
  /** The action is disabled in all states that the execution may be in; they stay the same. */
  | { readonly enabled: false; readonly reason: string }

/**
 * A model that follows an execution: it keeps the states that the execution may be in.
 *
 * @public
 */
export interface Model {
  /** The names of the actions. */
  readonly actions: readonly string[]
  /** Whether it never throws for a state that violates an invariant, as it has none. Default: false. */
  readonly isUnchecked?: boolean
  /** Begins an execution; returns the initial states. */
  reset(): readonly AbstractState[]
  /** Follows one action. @throws Error for an unknown action */
  apply(action: string, parameters: Parameters): Applied
  /**
   * Drops states that the execution turned out not to be in.
   *
   * @param states those to keep: at least one of the last result
   */
  keep(states: readonly AbstractState[]): void
  /**
   * A hash of 32 bits of the state with an identity, the same in every process. Estimates of unseen
   * states need it; without it, they count events instead.
   */
  hash?(id: number): number
  /** The states and transitions of the model, for those who go from any state to any other. */
  transitions?(): Transitions
}

/**
 * The states and transitions of a model, apart from the states that an execution may be in.
 *
 * Its states stay valid as long as it is used, so its memory grows with them.
 *
 * @public
 */
export interface Transitions {
  /** The initial states. @throws Error if one violates the invariant */
  initial(): readonly AbstractState[]
  /**
   * The states that an action leads to from a state; none if it is disabled.
   *
   * @param from of this object
   * @throws Error for an unknown action, or if a state violates the invariant
   */
  successors(from: AbstractState, action: string, parameters: Parameters): readonly AbstractState[]
  /** Equal for equal states only. */
  key(state: AbstractState): number
}

/**
 * An action of a model with its parameters bound.
 *
 * @public
 */
export interface Action {
  readonly action: string
  readonly parameters?: Parameters
}
