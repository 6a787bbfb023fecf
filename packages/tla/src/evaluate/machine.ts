/**
 * The machine: an executable specification, for check/, follow/ and validate/.
 *
 * A state is the list of the values of the variables, in the order of `variables`.
 */
import type { TlaError } from '../error/error.ts'
import type { Span } from '../error/span.ts'
import type { Surroundings } from '../library/surroundings.ts'
import type { Warning } from '../semantics/load.ts'
import type { BoundSymbol, Term } from '../semantics/term.ts'
import type { Arena } from '../values/arena.ts'
import type { Permuter } from '../values/symmetry.ts'
import type { Canonical, ModelValue, Value } from '../values/value.ts'

export type State = readonly Canonical[]

/** A named part of the next-state relation, as in TLC's traces: `RMPrepare(r1)`. */
export interface ActionPart {
  /** From 0, in the order of the specification. */
  readonly id: number
  /** The innermost definition around it; `Next` if there is none. */
  readonly name: string
  readonly module: string
  /** The names of its operator's parameters; `Machine.parameters` has their values at a step. */
  readonly parameters: readonly string[]
  /** The location of the part itself, as TLC prints it. */
  readonly at: Span
}

/** A formula evaluated in a state or a step: an invariant, a constraint, an alias. */
export interface Formula {
  readonly name: string
  readonly at: Span
  /** In the state `current`, and `primed` for action level. */
  evaluate(): Value
  /** `evaluate`, with a TlaError for a non-boolean value. */
  holds(): boolean
  /** The conjunct that is false, with the values of its operands. Undefined if the formula holds. */
  explain(): Refusal | undefined
  /** Indices of the variables that its value depends on; undefined if it depends on more. */
  reads(): readonly number[] | undefined
}

/** A part of a PROPERTY that is about whole behaviours. */
export interface UncheckedProperty {
  /** The name in the configuration. */
  readonly name: string
  /** The location of the part. */
  readonly at: Span
}

export interface NamedAction {
  readonly name: string
  readonly parameters: readonly string[]
  readonly at: Span
  /**
   * Calls `visit` with `primed` set for each successor of `current` by the action with these
   * parameters. @throws TlaError if a variable is left unassigned
   */
  step(parameters: readonly Value[], visit: () => void): void
  /**
   * Why the action is disabled in `current`: the false conjunct on the path that gets furthest.
   * Undefined if it is enabled.
   *
   * @param accepts if it rejects the value assigned to a variable (by index), the assigning conjunct
   *   counts as false: to find the conjunct that differs from a trace
   */
  explain(parameters: readonly Value[], accepts?: (variable: number, value: Canonical) => boolean): Refusal | undefined
}

/** An expression over the state and parameters. */
export interface ParametrisedExpression {
  /** Whether it has primes, so that it reads `primed`. */
  readonly isAboutStep: boolean
  /** @throws TlaError */
  evaluate(values: readonly Value[]): Value
  /** As for a formula. @throws TlaError */
  explain(values: readonly Value[]): Refusal | undefined
}

/** A conjunct that is false. */
export interface Refusal {
  /** Its source text, on one line. */
  readonly conjunct: string
  readonly at: Span
  /** The operands with their values: `[['tmState', '"done"']]`; literals are omitted. */
  readonly values: readonly (readonly [text: string, value: string])[]
}

export interface Machine {
  readonly arena: Arena
  readonly variables: readonly string[]
  /** The current state. Set by the caller, and by `initial`. */
  readonly current: Canonical[]
  /** The successor, complete while `visit` runs. To be copied, since it is reused. */
  readonly primed: (Canonical | undefined)[]
  /** The parts of the next-state relation. */
  readonly parts: readonly ActionPart[]
  /** During `next`'s `visit`, the part that led to `primed`. */
  part: ActionPart | undefined
  /** The values of the parameters of `part`, while `visit` runs. */
  parameters(): readonly Value[]
  /** Calls `visit` for each initial state with `current` set. @throws TlaError */
  initial(visit: () => void): void
  /**
   * Calls `visit` for each successor of `current` with `primed` set; equal ones may be repeated.
   * @throws TlaError
   */
  next(visit: () => void): void
  readonly invariants: readonly Formula[]
  readonly constraints: readonly Formula[]
  readonly actionConstraints: readonly Formula[]
  readonly assumptions: readonly Formula[]
  /** Evaluated after exploration, outside of any state. */
  readonly postconditions: readonly Formula[]
  /** Properties of initial states (`P`) and of steps (`[][A]_v`). `[]P` is an invariant. */
  readonly initialProperties: readonly Formula[]
  readonly stepProperties: readonly Formula[]
  readonly view: Formula | undefined
  readonly alias: Formula | undefined
  /** Permutations of model values; empty without SYMMETRY. */
  readonly symmetries: readonly Permuter[]
  /** The temporal parts of properties, which are not checked. */
  readonly unchecked: readonly UncheckedProperty[]
  /** Fairness of the specification, as text: without effect on what is checked. */
  readonly fairness: readonly string[]
  /** CHECK_DEADLOCK of the configuration. */
  readonly checksDeadlock: boolean
  /** Exploration updates its `progress` and `random`; native operators read them. */
  readonly surroundings: Surroundings
  /** A definition of the root module as an action; undefined if there is none of the name. */
  action(name: string): NamedAction | undefined
  /** The names of the actions, for messages. */
  readonly actionNames: readonly string[]
  /** Compiles an expression of the root module, for traces and mappers. @throws TlaError */
  formula(text: string, what: string): Formula
  /** Compiles an expression of the root module over parameters. @throws TlaError */
  expression(text: string, what: string, parameters: readonly string[]): ParametrisedExpression
  /**
   * Compiles a term over the symbols of `relation` and these parameters, to a function of the
   * parameters' values.
   * @throws TlaError
   */
  termFunction(term: Term, parameters: readonly BoundSymbol[]): (values: readonly Value[]) => Value
  /** The resolved next-state relation; undefined if there is none. */
  readonly relation: Term | undefined
  /** The model values of the configuration, by their names. */
  readonly modelValues: ReadonlyMap<string, ModelValue>
  /** The paths of its modules (without built-in ones) and its configuration. */
  readonly files: readonly string[]
  /** Legal constructs that are probably mistakes. */
  readonly warnings: readonly Warning[]
  /** The same specification with a new, empty arena, for long runs. */
  renewed(): Machine
  /** Repeats a failed evaluation for diagnosis: returns the error with its location and frames. */
  locate(error: TlaError, again: () => void): TlaError
}
