/**
 * Follows executions in a model: maps log entries to actions, records the abstract states reached,
 * and fails where the implementation diverges from the model (conformance).
 *
 * After the mapping and the controlled model checker of ModelFuzz. Departures: the final state of an
 * execution counts (the tool lost it if the last action stuttered), all successors are followed (it
 * took the first), a disabled action is recorded with its reason and may be a failure, and states
 * are compared with the implementation's.
 *
 * Independent of clusters: entries may be of any log. One event may add several entries; the states
 * are compared after the last of them.
 */
import { callText } from './definition.ts'
import { firstDifference, pathText } from './difference.ts'
import type { AbstractState, Action, Model } from './model.ts'

export interface Mapping<Entry, View> {
  readonly model: Model
  /**
   * The actions of an entry, in order; undefined if the model abstracts from it. An empty list is for
   * an entry that those of another entry stand for.
   *
   * @param isChecked whether a disabled action is a failure: if it is not, actions that change
   *   nothing can be left out
   */
  readonly actions: (entry: Entry, view: View, isChecked?: boolean) => Action | readonly Action[] | undefined
  /** Whether a disabled action is ignored (the state stays the same) or a failure. Default: `ignore`. */
  readonly disabled?: 'ignore' | 'fail'
  /**
   * Projections of implementation and model that must be equal after each event with an enabled
   * action. If the model may be in several states, those that differ are dropped; if all differ, the
   * execution fails.
   */
  readonly agree?: {
    /** Whether the states are compared, and a difference is a failure. Default: `fail`. */
    readonly differences?: 'ignore' | 'fail'
    readonly implementation: (view: View) => unknown
    // biome-ignore lint/suspicious/noExplicitAny: the state is of the user's own type
    readonly model: (state: any) => unknown
  }
}

/** Whether following can fail an execution, if the mapping itself has no error. */
export function canFail<Entry, View>({ model, disabled, agree }: Mapping<Entry, View>): boolean {
  const isCompared = agree !== undefined && agree.differences !== 'ignore'
  return model.isUnchecked !== true || disabled === 'fail' || isCompared
}

/** The implementation does what the model does not allow. */
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

/** An entry and one of its actions. */
export interface Followed<Entry> {
  readonly entry: Entry
  /** Undefined if the actions of another entry stand for this one. */
  readonly action: string | undefined
  /** Why it was disabled; undefined if it was not. */
  readonly reason: string | undefined
}

export class Follower<Entry, View> {
  readonly #mapping: Mapping<Entry, View>
  /** The states that the execution may be in. */
  #now: readonly AbstractState[] = []
  /** The last enabled action of the current event. */
  #last: Action | undefined
  #states: number[] = []
  #reached = new Set<number>()
  #followed: Followed<Entry>[] = []

  constructor(mapping: Mapping<Entry, View>) {
    this.#mapping = mapping
  }

  /** The ids of the abstract states that the execution reached, each once, in order. */
  get states(): readonly number[] {
    return this.#states
  }

  /** The entries of the execution that were mapped to actions, in order. */
  get followed(): readonly Followed<Entry>[] {
    return this.#followed
  }

  /** Begins an execution, in the initial states. */
  begin(): void {
    this.#states = []
    this.#reached = new Set()
    this.#followed = []
    this.#last = undefined
    this.#now = this.#mapping.model.reset()
    this.#reach(this.#now)
  }

  /**
   * Follows one entry.
   *
   * @param view the implementation right after the event of the entry
   * @throws ModelDivergence for a disabled action if the mapping says `fail`; BrokenInvariant; Error
   *   for an action that the model does not have
   */
  follow(entry: Entry, view: View): void {
    const actions = this.#mapping.actions(entry, view, this.#mapping.disabled === 'fail')
    if (actions === undefined) return
    if (isList(actions)) {
      if (actions.length === 0) this.#followed.push({ entry, action: undefined, reason: undefined })
      for (const action of actions) this.#apply(entry, assertAction(action))
    } else this.#apply(entry, assertAction(actions))
  }

  /**
   * Ends an event, whose entries have all been followed: compares the states.
   *
   * @throws ModelDivergence if they differ
   */
  settle(view: View): void {
    if (this.#last === undefined) return
    const action = this.#last
    this.#last = undefined
    this.#agree(action, view)
    this.#reach(this.#now)
  }

  #apply(entry: Entry, taken: Action): void {
    const { action, parameters = NO_PARAMETERS } = taken
    const applied = this.#mapping.model.apply(action, parameters)
    this.#followed.push({ entry, action, reason: applied.enabled ? undefined : applied.reason })
    if (applied.enabled) {
      // States after the last action of the event are reached only if they agree.
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
          ...stateLines(this.#now.map(({ value }) => value)),
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
    if (agree === undefined || agree.differences === 'ignore') return
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
      ...stateLines(projected),
    ].join('\n')
  }
}

const MAX_STATES_SHOWN = 3
const MAX_VALUE_TEXT = 1_000
const NO_PARAMETERS: readonly unknown[] = []

/** For mappings without types or with casts. */
function assertAction(given: Action): Action {
  const { action, parameters = NO_PARAMETERS } = (given ?? {}) as Partial<Action>
  if (typeof action === 'string' && Array.isArray(parameters)) return given
  throw new TypeError(
    `\`actions\` of the model returned ${valueText(given)}: it must return \`{ action: 'Name', parameters: […] }\`, an array of these, or undefined`,
  )
}

function isList(actions: Action | readonly Action[]): actions is readonly Action[] {
  return Array.isArray(actions)
}

/** One line for each state that the model may be in. */
function stateLines(values: readonly unknown[]): readonly string[] {
  const lines = values.slice(0, MAX_STATES_SHOWN).map((value) => `  model: ${valueText(value)}`)
  const more = values.length - lines.length
  return more === 0 ? lines : [...lines, `  and ${more} more states that the model may be in`]
}

function valueText(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value)
  return text.length > MAX_VALUE_TEXT ? `${text.slice(0, MAX_VALUE_TEXT)}…` : text
}
