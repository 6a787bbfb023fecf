/**
 * What a model is: a set of abstract states, and named actions that lead from one to others.
 * Whoever follows an execution (the mapping of a cluster's events, a recorded trace) tells the
 * model what happened, action by action, and hears which abstract states the execution may be in
 * now.
 *
 * Two kinds implement it: models written in TypeScript (typescript-model.ts) and TLA+
 * specifications. After the controlled model checker of ModelFuzz, which answers a disabled action
 * by stuttering in silence; here it answers why.
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
   * Identifies the state, or what its model projects it to for coverage, within this process: two
   * states have one identity exactly if they are equal, so nothing is lost to collisions.
   */
  readonly id: number
  /** The state as plain data; not to be changed. */
  readonly value: unknown
}

/**
 * What an action led to.
 *
 * @public
 */
export type Applied =
  /**
   * The states that the execution may be in now: several where the model leaves something open.
   * Never empty.
   */
  | { readonly enabled: true; readonly states: readonly AbstractState[] }
  /** It can happen in none of the states that the execution may be in; those stay as they were. */
  | { readonly enabled: false; readonly reason: string }

/**
 * A model that is followed: it remembers which states the execution may be in.
 *
 * @public
 */
export interface Model {
  /** The names of the actions that it knows. */
  readonly actions: readonly string[]
  /** Begins anew; gives the initial states. */
  reset(): readonly AbstractState[]
  /** Follows one action; throws an `Error` that tells what there is if no action has the name. */
  apply(action: string, parameters: Parameters): Applied
  /**
   * Goes on with some of the states that the execution may be in, as something showed that it is in
   * none of the others.
   *
   * @param states at least one of those that `reset` or `apply` gave last
   */
  keep(states: readonly AbstractState[]): void
  /**
   * A hash of 32 bits of the abstract state that has an identity: the same in every process, so
   * that what several of them saw can be added up. Estimates of what is still to be seen want it; a
   * model without it gets them from its events.
   */
  hash?(id: number): number
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
