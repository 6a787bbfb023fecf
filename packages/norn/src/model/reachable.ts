/**
 * All states that a model written in TypeScript can reach, breadth first: for testing a model
 * before it guides anything.
 *
 * What may happen in a state has to be named, as an action is a function of parameters that nobody
 * enumerates; so this is a small explicit-state model checker for small instances.
 */
import {
  assertDefinition,
  assertState,
  BrokenInvariant,
  brokenInvariant,
  callText,
  Disabled,
  initialStates,
  type ModelDefinition,
  perform,
} from './definition.ts'
import { Interner } from './interning.ts'
import type { Action } from './model.ts'

/**
 * The states that a model can reach, as far as they were explored.
 *
 * @public
 */
export interface Reachable<State> {
  /** The distinct states, in the order in which they are reached. */
  readonly states: readonly State[]
  /**
   * The actions that lead to a state that may as well be the same one, counted per state in which
   * they are enabled.
   */
  readonly transitions: number
  /** The fewest actions that lead to the farthest state. */
  readonly diameter: number
  /** The states in which nothing is enabled. */
  readonly deadlocks: readonly State[]
}

const MAX_REACHABLE = 1_000_000

/**
 * Enumerates.
 *
 * @public
 * @param instances the actions with parameters that are tried in a state; those that are disabled
 *   are passed over
 * @throws BrokenInvariant with the shortest way to the state that breaks it; RangeError if there
 *   are more than `maxStates`
 */
export function reachable<State extends object>(
  definition: ModelDefinition<State>,
  instances: (state: State) => Iterable<Action>,
  maxStates = MAX_REACHABLE,
): Reachable<State> {
  assertDefinition(definition)
  const interner = new Interner()
  const seen = new Set<number>()
  const found: Found<State>[] = []
  const deadlocks: State[] = []
  let transitions = 0
  const reach = (value: State, from: Found<State> | undefined, by: string) => {
    assertState(value, by)
    const id = interner.intern(value, `what ${by} gave`)
    if (seen.has(id)) return
    seen.add(id)
    if (seen.size > maxStates) throw new RangeError(`the model reaches more than ${maxStates} states`)
    const state = interner.value(id) as State
    const one = { state, from, by, distance: from === undefined ? 0 : from.distance + 1 }
    const why = brokenInvariant(definition, state)
    if (why !== undefined) throw new BrokenInvariant(`after ${wayTo(one) || 'nothing'}`, why, state)
    found.push(one)
  }
  for (const state of initialStates(definition)) reach(state, undefined, '`init`')
  for (let at = 0; at < found.length; at++) {
    const from = found[at]!
    let isStuck = true
    for (const { action, parameters = [] } of instances(from.state)) {
      const led = perform(definition, from.state, action, parameters)
      if (led instanceof Disabled) continue
      isStuck = false
      transitions += led.length
      for (const next of led) reach(next, from, callText(action, parameters))
    }
    if (isStuck) deadlocks.push(from.state)
  }
  return { states: found.map(({ state }) => state), transitions, diameter: found.at(-1)!.distance, deadlocks }
}

interface Found<State> {
  readonly state: State
  readonly from: Found<State> | undefined
  readonly by: string
  readonly distance: number
}

function wayTo<State>(found: Found<State>): string {
  const way: string[] = []
  for (let at: Found<State> | undefined = found; at?.from !== undefined; at = at.from) way.unshift(at.by)
  return way.join(', ')
}
