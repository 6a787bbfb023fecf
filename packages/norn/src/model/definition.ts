/**
 * The definition of a model in TypeScript: pure functions over plain data, one for each action.
 *
 * ```ts
 * const counter = defineModel({
 *   init: { value: 0 },
 *   actions: {
 *     Add: (state, amount: number) => ({ value: state.value + amount }),
 *     Reset: (state) => (state.value === 0 ? disabled('already 0') : { value: 0 }),
 *   },
 * })
 * ```
 */

/** The result of an action that cannot happen in a state; made by `disabled`. */
export class Disabled {
  readonly reason: string

  constructor(reason: string) {
    this.reason = reason
  }
}

/**
 * The result of an action that cannot happen.
 *
 * @param reason what the state lacks, for messages
 * @public
 */
export function disabled(reason: string): Disabled {
  return new Disabled(reason)
}

/** The next state, several possible next states, or none. */
type Successors<State> = State | readonly State[] | Disabled

/**
 * A pure function of its arguments, which it must not change; the next state may share parts with
 * the state.
 */
// biome-ignore lint/suspicious/noExplicitAny: each action types its parameters
type ActionFunction<State> = (state: State, ...parameters: any[]) => Successors<State>

/**
 * A model written in TypeScript: initial states, actions and invariants over states.
 *
 * @public
 */
export interface ModelDefinition<State extends object> {
  /**
   * The initial state, or several possible ones. A state is a plain object of plain data: no
   * functions, classes, `Set`, `Map` or `NaN`.
   */
  readonly init: State | readonly State[]
  /** By name. */
  readonly actions: Readonly<Record<string, ActionFunction<State>>>
  /**
   * What coverage compares: states with equal projections count as one. Default: the whole state.
   * The model follows whole states in any case.
   */
  readonly project?: (state: State) => unknown
  /** Must hold in every reached state; violated if it throws or returns `false`. */
  readonly invariant?: (state: State) => boolean | void
}

/** @throws TypeError that names the wrong part of a definition */
export function assertDefinition<State extends object>(definition: ModelDefinition<State>): void {
  const { init, actions, project, invariant } = definition
  const complain = (problem: string) => {
    throw new TypeError(`defineModel: ${problem}`)
  }
  if (typeof init !== 'object' || init === null)
    complain('`init` must be a state (a plain object) or an array of states')
  if (Array.isArray(init) && init.length === 0) complain('`init` must list at least one state')
  if (typeof actions !== 'object' || actions === null || Object.keys(actions).length === 0) {
    complain('`actions` must name at least one action')
  }
  for (const [name, action] of Object.entries(actions)) {
    if (typeof action !== 'function') complain(`action '${name}' must be a function of the state and its parameters`)
  }
  if (project !== undefined && typeof project !== 'function') complain('`project` must be a function of the state')
  if (invariant !== undefined && typeof invariant !== 'function')
    complain('`invariant` must be a function of the state')
}

export function initialStates<State extends object>({ init }: ModelDefinition<State>): readonly State[] {
  return Array.isArray(init) ? (init as readonly State[]) : [init as State]
}

/**
 * The successors of one state, or why the action is disabled.
 *
 * @param state frozen
 * @throws Error with the action, if it throws, changes the state or does not return a state
 */
export function perform<State extends object>(
  definition: ModelDefinition<State>,
  state: State,
  action: string,
  parameters: readonly unknown[],
): readonly State[] | Disabled {
  const run = actionNamed(definition, action)
  if (parameters.length < run.length - 1) {
    throw new TypeError(
      `${callText(action, parameters)}: this action of the model takes ${count(run.length - 1, 'parameter')} and got ${parameters.length}`,
    )
  }
  let successors: Successors<State>
  try {
    successors = run(state, ...parameters)
  } catch (error) {
    const isWrite = error instanceof TypeError && writesToArguments(run, [state, ...parameters])
    throw withCall(error, callText(action, parameters), isWrite)
  }
  if (successors instanceof Disabled) return successors
  const states = Array.isArray(successors) ? (successors as readonly State[]) : [successors as State]
  if (states.length === 0) return disabled('it leads to no state')
  for (const next of states) assertState(next, callText(action, parameters))
  return states
}

/** @throws TypeError unless the value is an object */
export function assertState(value: unknown, from: string): asserts value is object {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return
  const what = value === null ? 'null' : Array.isArray(value) ? 'a list in a list' : `a value of type ${typeof value}`
  throw new TypeError(
    `${from} returned ${what}: an action must return a state (a plain object), an array of states, or disabled('why')`,
  )
}

function actionNamed<State extends object>({ actions }: ModelDefinition<State>, action: string): ActionFunction<State> {
  if (Object.hasOwn(actions, action)) return actions[action]!
  throw new Error(`the model has no action '${action}'; it has ${Object.keys(actions).join(', ')}`)
}

/** Whether an action that threw writes to its frozen arguments: repeats it with unfrozen copies. */
function writesToArguments(run: (...args: never[]) => unknown, args: readonly unknown[]): boolean {
  try {
    const copies = structuredClone(args) as never[]
    const before = JSON.stringify(copies)
    try {
      run(...copies)
    } catch {
      // Changes before the exception count.
    }
    return JSON.stringify(copies) !== before
  } catch {
    return false
  }
}

function withCall(error: unknown, call: string, isWrite: boolean): Error {
  const message = error instanceof Error ? error.message : String(error)
  const what = isWrite ? 'changes its arguments: it must return a new state' : 'of the model threw'
  return new Error(`${call} ${what}: ${message}`, { cause: error })
}

/** Characters; longer parameters are cut. */
const MAX_PARAMETER_TEXT = 200

/** An action with its parameters: `Vote(1, "yes")`. */
export function callText(action: string, parameters: readonly unknown[] = []): string {
  const texts = parameters.map((parameter) => {
    const text = JSON.stringify(parameter) ?? String(parameter)
    return text.length > MAX_PARAMETER_TEXT ? `${text.slice(0, MAX_PARAMETER_TEXT)}…` : text
  })
  return `${action}(${texts.join(', ')})`
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`
}

/** Why a state violates the model's invariant; undefined if it does not. */
export function brokenInvariant<State extends object>(
  { invariant }: ModelDefinition<State>,
  state: State,
): string | undefined {
  if (invariant === undefined) return undefined
  try {
    return invariant(state) === false ? 'it returned false' : undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** A state of a model violates the model's own invariant. */
export class BrokenInvariant extends Error {
  override readonly name = 'BrokenInvariant'
  readonly state: unknown

  constructor(after: string, why: string, state: unknown) {
    super(`the model's invariant is broken ${after}: ${why}\nstate: ${JSON.stringify(state)}`)
    this.state = state
  }
}
