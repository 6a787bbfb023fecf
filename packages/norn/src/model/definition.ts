/**
 * A model as a user writes it in TypeScript: pure functions over plain data, one for each action.
 *
 * ```ts
 * const counter = defineModel({
 *   init: { value: 0 },
 *   actions: {
 *     Add: (state, amount: number) => ({ value: state.value + amount }),
 *     Reset: (state) => (state.value === 0 ? disabled('it is 0 already') : { value: 0 }),
 *   },
 * })
 * ```
 */

/** What `disabled` gives. */
export class Disabled {
  readonly reason: string

  constructor(reason: string) {
    this.reason = reason
  }
}

/**
 * What an action gives where it cannot happen. @param reason why not, for people: what is missing
 * in the state
 *
 * @public
 */
export function disabled(reason: string): Disabled {
  return new Disabled(reason)
}

/** Where an action leads from a state: to one, to any of several, or nowhere. */
type Successors<State> = State | readonly State[] | Disabled

/**
 * An action: what it makes of a state. A function of its arguments alone, which it must not change;
 * the next state may share parts with the one before.
 */
// biome-ignore lint/suspicious/noExplicitAny: its parameters are the action's own to type
type ActionFunction<State> = (state: State, ...parameters: any[]) => Successors<State>

/**
 * A model written in TypeScript: initial states, actions and invariants over states.
 *
 * @public
 */
export interface ModelDefinition<State extends object> {
  /**
   * The state that every execution begins in, or several: it begins in any of them. A state is a
   * plain object of plain data: no functions, no classes, no `Set` or `Map`, no `NaN`.
   */
  readonly init: State | readonly State[]
  /** By their names. */
  readonly actions: Readonly<Record<string, ActionFunction<State>>>
  /**
   * What coverage tells states apart by: states with equal projections count as one. The whole
   * state unless set. The model goes on following the whole state.
   */
  readonly project?: (state: State) => unknown
  /** What must hold in every state that is reached; broken where it throws or gives `false`. */
  readonly invariant?: (state: State) => boolean | void
}

/** Refuses what is no definition. @throws TypeError that says which part is not as it must be */
export function assertDefinition<State extends object>(definition: ModelDefinition<State>): void {
  const { init, actions, project, invariant } = definition
  const complain = (problem: string) => {
    throw new TypeError(`defineModel: ${problem}`)
  }
  if (typeof init !== 'object' || init === null) complain('`init` must be a state (a plain object) or a list of states')
  if (Array.isArray(init) && init.length === 0) complain('`init` lists no state: an execution has to begin somewhere')
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

/** The states that a definition begins with. */
export function initialStates<State extends object>({ init }: ModelDefinition<State>): readonly State[] {
  return Array.isArray(init) ? (init as readonly State[]) : [init as State]
}

/**
 * Where an action leads from one state: the states, or why it is disabled.
 *
 * @param state frozen
 * @throws Error that names the action, if it throws, changes the state, or gives what is no state
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
  let given: Successors<State>
  try {
    given = run(state, ...parameters)
  } catch (error) {
    const isChange = error instanceof TypeError && changesArguments(run, [state, ...parameters])
    throw blamed(error, callText(action, parameters), isChange)
  }
  if (given instanceof Disabled) return given
  const states = Array.isArray(given) ? (given as readonly State[]) : [given as State]
  if (states.length === 0) return disabled('it leads to no state')
  for (const next of states) assertState(next, callText(action, parameters))
  return states
}

/** @throws TypeError if a value is no object that could be a state */
export function assertState(value: unknown, from: string): asserts value is object {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return
  const what = value === null ? 'null' : Array.isArray(value) ? 'a list in a list' : `a value of type ${typeof value}`
  throw new TypeError(
    `${from} gave ${what}: an action gives the next state (a plain object), a list of them, or disabled('why')`,
  )
}

function actionNamed<State extends object>({ actions }: ModelDefinition<State>, action: string): ActionFunction<State> {
  if (Object.hasOwn(actions, action)) return actions[action]!
  throw new Error(`the model has no action '${action}'; it has ${Object.keys(actions).join(', ')}`)
}

/**
 * Whether an action that threw changes its arguments, which are frozen: performs it on copies that
 * are not.
 */
function changesArguments(run: (...args: never[]) => unknown, args: readonly unknown[]): boolean {
  try {
    const copies = structuredClone(args) as never[]
    const before = JSON.stringify(copies)
    try {
      run(...copies)
    } catch {
      // What it changed until then counts.
    }
    return JSON.stringify(copies) !== before
  } catch {
    return false
  }
}

function blamed(error: unknown, call: string, isChange: boolean): Error {
  const message = error instanceof Error ? error.message : String(error)
  const says = isChange
    ? 'changes its arguments: it must leave them as they are and give a new state'
    : 'of the model threw'
  return new Error(`${call} ${says}: ${message}`, { cause: error })
}

/** Longer parameters are cut. */
const MAX_PARAMETER_TEXT = 200

/** An action with its parameters, as people read it: `Vote(1, "yes")`. */
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

/** Tells that the invariant of a model is broken, if it is. */
export function brokenInvariant<State extends object>(
  { invariant }: ModelDefinition<State>,
  state: State,
): string | undefined {
  if (invariant === undefined) return undefined
  try {
    return invariant(state) === false ? 'it gave false' : undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** A state of a model breaks the model's own invariant. */
export class BrokenInvariant extends Error {
  override readonly name = 'BrokenInvariant'
  /** The state that breaks it. */
  readonly state: unknown

  constructor(after: string, why: string, state: unknown) {
    super(`the model's invariant is broken ${after}: ${why}\nstate: ${JSON.stringify(state)}`)
    this.state = state
  }
}
