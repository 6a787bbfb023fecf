/**
 * Follows one execution after another in a model: maps what happened to actions, keeps the abstract
 * states that were reached and what the model was told of, and tells where implementation and model
 * part (conformance).
 *
 * After the mapping and the controlled model checker of ModelFuzz. Where we depart: the state that
 * an execution ends in counts (the tool lost it if the last action stuttered), all successors are
 * followed (it took the first), a disabled action is kept with its reason and may be a failure, and
 * states are compared with what the implementation shows.
 *
 * Knows nothing of clusters: what is mapped is any entry of any log. Entries come in moments: what
 * one message brings about at its receiver is one moment of several entries, after which the
 * implementation can be looked at.
 */
import { callText } from './definition.ts'
import { firstDifference, pathText } from './difference.ts'
import type { AbstractState, Action, Model } from './model.ts'

/** How executions are followed. */
export interface Mapping<Entry, View> {
  readonly model: Model
  /** The actions that an entry stands for, in order; undefined if the model knows nothing of it. */
  readonly actions: (entry: Entry, view: View) => Action | readonly Action[] | undefined
  /**
   * What an action that is disabled means: `ignore` (the model stays where it is) unless set, or a
   * failure.
   */
  readonly disabled?: 'ignore' | 'fail'
  /**
   * What both must agree on after a moment in which some action was enabled, projected from either.
   * Where the model may be in several states, those that differ are given up; a difference with all
   * of them is a failure.
   */
  readonly agree?: {
    readonly implementation: (view: View) => unknown
    // biome-ignore lint/suspicious/noExplicitAny: the state is of the user's own type
    readonly model: (state: any) => unknown
  }
}

/** The implementation does what the model does not. */
export class ModelDivergence extends Error {
  override readonly name = 'ModelDivergence'
  readonly action: string
  readonly parameters: readonly unknown[]

  constructor(action: Action, message: string) {
    super(message)
    this.action = action.action
    this.parameters = action.parameters ?? []
  }
}

/** An entry as the model was told of it: once for each action that it stands for. */
export interface Followed<Entry> {
  readonly entry: Entry
  readonly action: string
  /** Why it was disabled; undefined if it was not. */
  readonly reason: string | undefined
}

export class Follower<Entry, View> {
  readonly #mapping: Mapping<Entry, View>
  /** The states that the execution may be in. */
  #now: readonly AbstractState[] = []
  /** The last action of the moment under way that the model could follow. */
  #last: Action | undefined
  #states: number[] = []
  #reached = new Set<number>()
  #followed: Followed<Entry>[] = []

  constructor(mapping: Mapping<Entry, View>) {
    this.#mapping = mapping
  }

  /**
   * The identities of the abstract states reached since the execution began, each once, in the
   * order of first reach.
   */
  get states(): readonly number[] {
    return this.#states
  }

  /**
   * What the model was told of since the execution began, in order. Entries that it knows nothing
   * of are not in it.
   */
  get followed(): readonly Followed<Entry>[] {
    return this.#followed
  }

  /** Begins an execution: the initial states are the first that are reached. */
  begin(): void {
    this.#states = []
    this.#reached = new Set()
    this.#followed = []
    this.#last = undefined
    this.#now = this.#mapping.model.reset()
    this.#reach(this.#now)
  }

  /**
   * Follows what one entry stands for.
   *
   * @param view how things are right after the moment to which it belongs
   * @throws ModelDivergence if an action is disabled, and the mapping says that this is a failure;
   *   BrokenInvariant; an Error if the mapping names an action that the model does not have
   */
  follow(entry: Entry, view: View): void {
    const actions = this.#mapping.actions(entry, view)
    if (actions === undefined) return
    if (isList(actions)) for (const action of actions) this.#take(entry, assertAction(action))
    else this.#take(entry, assertAction(actions))
  }

  /**
   * Ends a moment: all entries of it have been followed. What the implementation shows is the
   * moment after all of them, so this is when both sides are compared.
   *
   * @throws ModelDivergence if they disagree
   */
  settle(view: View): void {
    if (this.#last === undefined) return
    const action = this.#last
    this.#last = undefined
    this.#agree(action, view)
    this.#reach(this.#now)
  }

  #take(entry: Entry, taken: Action): void {
    const { action, parameters = NO_PARAMETERS } = taken
    const applied = this.#mapping.model.apply(action, parameters)
    this.#followed.push({ entry, action, reason: applied.enabled ? undefined : applied.reason })
    if (applied.enabled) {
      // Those that the action before led to are past; those that the last one leads to are reached
      // if they agree.
      if (this.#last !== undefined) this.#reach(this.#now)
      this.#last = taken
      this.#now = applied.states
      return
    }
    if (this.#mapping.disabled === 'fail') {
      throw new ModelDivergence(
        taken,
        [
          `the model does not allow ${callText(action, parameters)}: ${applied.reason}`,
          ...told(this.#now.map(({ value }) => value)),
        ].join('\n'),
      )
    }
  }

  #reach(states: readonly AbstractState[]): void {
    for (let at = 0; at < states.length; at++) {
      const { id } = states[at]!
      if (this.#reached.has(id)) continue
      this.#reached.add(id)
      this.#states.push(id)
    }
  }

  #agree(action: Action, view: View): void {
    const { agree, model } = this.#mapping
    if (agree === undefined) return
    const implementation = agree.implementation(view)
    const differs = (state: AbstractState) => firstDifference(implementation, agree.model(state.value))
    if (this.#now.length === 1) {
      if (differs(this.#now[0]!) === undefined) return
    } else {
      const agreeing = this.#now.filter((state) => differs(state) === undefined)
      if (agreeing.length > 0) {
        if (agreeing.length < this.#now.length) model.keep(agreeing)
        this.#now = agreeing
        return
      }
    }
    throw new ModelDivergence(action, this.#disagreement(action, implementation))
  }

  #disagreement(action: Action, implementation: unknown): string {
    const projected = this.#now.map((state) => this.#mapping.agree!.model(state.value))
    const { path, left, right } = firstDifference(implementation, projected[0])!
    const open = projected.length
    return [
      `implementation and model disagree after ${callText(action.action, action.parameters)}` +
        (path === '' ? '' : ` about ${pathText(path)}`),
      ...(path === ''
        ? []
        : [
            `  ${pathText(path)}: implementation ${valueText(left)}, model ${valueText(right)}` +
              (open === 1 ? '' : ` in the first of the ${open} states that it may be in`),
          ]),
      `  implementation: ${valueText(implementation)}`,
      ...told(projected),
    ].join('\n')
  }
}

/** Of many states that the model may be in, as many are told. */
const MAX_STATES_TOLD = 3
const MAX_VALUE_TEXT = 1_000
const NO_PARAMETERS: readonly unknown[] = []

/**
 * Types refuse what is none; a mapping without types, or with a cast, would be told of a detail of
 * ours.
 */
function assertAction(given: Action): Action {
  const { action, parameters = NO_PARAMETERS } = (given ?? {}) as Partial<Action>
  if (typeof action === 'string' && Array.isArray(parameters)) return given
  throw new TypeError(
    `\`actions\` of the model gave ${valueText(given)}: it must give \`{ action: 'Name', parameters: […] }\`, a list of such, or undefined for what the model knows nothing of`,
  )
}

function isList(actions: Action | readonly Action[]): actions is readonly Action[] {
  return Array.isArray(actions)
}

/** What the model knows, a line for each state that it may be in. */
function told(values: readonly unknown[]): readonly string[] {
  const lines = values.slice(0, MAX_STATES_TOLD).map((value) => `  model: ${valueText(value)}`)
  const more = values.length - lines.length
  return more === 0 ? lines : [...lines, `  and ${more} more states that the model may be in`]
}

function valueText(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value)
  return text.length > MAX_VALUE_TEXT ? `${text.slice(0, MAX_VALUE_TEXT)}…` : text
}
