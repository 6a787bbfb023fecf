/** The sequential specification of a shared object. */

/**
 * The sequential specification of an object: a state at first, and what operations do to it.
 *
 * @typeParam State an immutable value
 * @public
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
  /** A state for people. By default as JSON. */
  describeState?(state: State): string
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

/**
 * A model that cannot be: the message says what is wrong, and what to do.
 *
 * @public
 */
export class ModelError extends Error {
  override readonly name = 'ModelError'
}

const REQUIRED = ['init', 'step'] as const
const OPTIONAL = ['key', 'partition', 'isRead', 'describe'] as const

/** @throws ModelError if functions of it are missing, or are none */
export function assertModel(model: ObjectModel): void {
  if (typeof model !== 'object' || model === null)
    throw new ModelError(`a model must be an object with ${REQUIRED.join(' and ')}, found ${model}`)
  const name = typeof model.name === 'string' ? `model ${model.name}` : 'a model without a name'
  for (const each of [...REQUIRED, ...OPTIONAL]) {
    const found = model[each]
    if (typeof found === 'function' || (found === undefined && !REQUIRED.some((one) => one === each))) continue
    throw new ModelError(`${name}: ${each} must be a function, found ${found === null ? 'null' : typeof found}`)
  }
  if (typeof model.name !== 'string') throw new ModelError(`${name}: give it a name, which messages use`)
}

/**
 * Several states that an operation may lead to: what `step` returns instead of an array, which may be one state.
 *
 * @public
 */
export class States<State> {
  readonly states: readonly State[]

  constructor(states: readonly State[]) {
    this.states = states
  }
}
