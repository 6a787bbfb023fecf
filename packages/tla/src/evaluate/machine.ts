/**
 * The machine: an executable specification, for check/, follow/ and validate/.
 *
 * A state is the list of the values of the variables, in the order of `variables`.
 */
import type { TlaError } from '../error.ts'
import type { Surroundings } from '../library/surroundings.ts'
import type { Warning } from '../semantics/load.ts'
import type { BoundSymbol, Term } from '../semantics/term.ts'
import type { Span } from '../syntax/span.ts'
import type { Arena } from '../values/arena.ts'
import type { Permuter } from '../values/symmetry.ts'
import type { Canonical, ModelValue, Value } from '../values/value.ts'

export type State = readonly Canonical[]

/**
 * A part of the next-state relation that has a name of its own: `RMPrepare(r1)`, as TLC tells steps
 * apart.
 */
export interface ActionPart {
  /** A number from 0, in the order of the specification. */
  readonly id: number
  /** The definition it is the body of; `Next` if it has none of its own. */
  readonly name: string
  readonly module: string
  /**
   * The names of the parameters that its operator has; their values at a step are in
   * `Machine.parameters`.
   */
  readonly parameters: readonly string[]
  /** Of itself, which tells it from the other parts of the definition, as TLC prints it. */
  readonly at: Span
}

/**
 * What can be evaluated in a state, or in a pair of states: an invariant, a constraint, an alias.
 */
export interface Formula {
  readonly name: string
  readonly at: Span
  /** In the state `current` (and `primed`, if it is of action level). */
  evaluate(): Value
  /** As `evaluate`; a value that is not a boolean is a TlaError. */
  holds(): boolean
  /**
   * Why it does not hold there: the conjunct that is false, and the values of what it compares.
   * Undefined if it holds.
   */
  explain(): Refusal | undefined
  /**
   * The variables that its value depends on, by their numbers; undefined if it depends on something
   * else too.
   */
  reads(): readonly number[] | undefined
}

export interface NamedAction {
  readonly name: string
  readonly parameters: readonly string[]
  readonly at: Span
  /**
   * All ways to take it from `current` with its parameters bound: sets `primed` and calls `visit`
   * for each. Variables that it leaves unassigned are an error.
   */
  step(parameters: readonly Value[], visit: () => void): void
  /**
   * Why it cannot be taken from `current`: the conjunct that is false on the path that comes
   * furthest. Undefined if it can.
   *
   * @param accepts unless it accepts what a variable (by its number) is assigned, the conjunct that
   * assigns it counts as false: so a trace that saw another value learns which conjunct differs
   */
  explain(parameters: readonly Value[], accepts?: (variable: number, value: Canonical) => boolean): Refusal | undefined
}

/** An expression over the state and parameters. */
export interface ParametrisedExpression {
  /** Whether it has primes, and is about `primed` too. */
  readonly isAboutStep: boolean
  /** @throws TlaError */
  evaluate(values: readonly Value[]): Value
  /** Why it is false: as of a formula. @throws TlaError */
  explain(values: readonly Value[]): Refusal | undefined
}

/** The conjunct that was false. */
export interface Refusal {
  /** Its source text, on one line. */
  readonly conjunct: string
  readonly at: Span
  /**
   * The values of what it compares: `[['tmState', '"done"'], ['"init"', '"init"']]`, what is fixed
   * left out.
   */
  readonly values: readonly (readonly [text: string, value: string])[]
}

export interface Machine {
  readonly arena: Arena
  readonly variables: readonly string[]
  /** The state to evaluate in. Set by the caller, and by `initial`. */
  readonly current: Canonical[]
  /** The successor, complete while `visit` runs. Not to be kept: copied. */
  readonly primed: (Canonical | undefined)[]
  /** The parts of the next-state relation. */
  readonly parts: readonly ActionPart[]
  /** During `next`'s `visit`: the part that led here. */
  part: ActionPart | undefined
  /** The values of the parameters of `part`, while `visit` runs. */
  parameters(): readonly Value[]
  /** Calls `visit` for each initial state with `current` set. @throws TlaError */
  initial(visit: () => void): void
  /**
   * Calls `visit` for each successor of `current` with `primed` set, equal ones as often as they
   * come.
   * @throws TlaError
   */
  next(visit: () => void): void
  readonly invariants: readonly Formula[]
  readonly constraints: readonly Formula[]
  readonly actionConstraints: readonly Formula[]
  readonly assumptions: readonly Formula[]
  /** Evaluated once all is explored, in no state. */
  readonly postconditions: readonly Formula[]
  /**
   * Those of the properties that are about initial states, or about single steps: `P`, `[][A]_v`.
   * `[]P` is an invariant.
   */
  readonly initialProperties: readonly Formula[]
  readonly stepProperties: readonly Formula[]
  readonly view: Formula | undefined
  readonly alias: Formula | undefined
  /**
   * Permutations of model values: each maps a state to one that is symmetric to it. Empty without
   * SYMMETRY.
   */
  readonly symmetries: readonly Permuter[]
  /** Temporal properties and fairness that are named and not checked. */
  readonly unchecked: readonly string[]
  /** Whether the configuration leaves the check for deadlock on: CHECK_DEADLOCK. */
  readonly checksDeadlock: boolean
  /** Whoever explores keeps its `progress` and its `random`; natives read them. */
  readonly surroundings: Surroundings
  /**
   * A definition of the root module as an action with its parameters. Undefined if there is none of
   * the name.
   */
  action(name: string): NamedAction | undefined
  /** The names of definitions of action level with parameters that can be bound, for messages. */
  readonly actionNames: readonly string[]
  /** Compiles an expression of the root module: for traces and mappings. @throws TlaError */
  formula(text: string, what: string): Formula
  /** Compiles an expression of the root module over parameters. @throws TlaError */
  expression(text: string, what: string, parameters: readonly string[]): ParametrisedExpression
  /**
   * Compiles a term over the symbols of `relation` and these parameters, to what gives its value
   * for theirs.
   * @throws TlaError
   */
  termFunction(term: Term, parameters: readonly BoundSymbol[]): (values: readonly Value[]) => Value
  /**
   * The next-state relation as it was resolved: for those who look how it reaches an action.
   * Undefined if there is none.
   */
  readonly relation: Term | undefined
  /** The model values of the configuration, by their names. */
  readonly modelValues: ReadonlyMap<string, ModelValue>
  /**
   * The paths of all files that were read for it: modules (without those of norn) and the
   * configuration.
   */
  readonly files: readonly string[]
  /** What is legal in the modules and hardly meant. */
  readonly warnings: readonly Warning[]
  /**
   * The same specification with a new arena, without reading anything again: for those who run so
   * long that values which nobody needs any more pile up.
   */
  renewed(): Machine
  /**
   * Runs again what threw, slowly, to learn the place and the frames: gives the same error with
   * them.
   */
  locate(error: TlaError, again: () => void): TlaError
}
