/**
 * Enumerates the reachable states of a TypeScript model, breadth first, for testing the model itself:
 * a small explicit-state model checker. The caller lists the parameters of actions.
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
  /** The distinct states, in breadth-first order. */
  readonly states: readonly State[]
  /** The number of transitions, including those that lead back to the same state. */
  readonly transitions: number
  /** The number of actions on the shortest path to the farthest state. */
  readonly diameter: number
  /** The states in which all actions are disabled. */
  readonly deadlocks: readonly State[]
}

const MAX_REACHABLE = 1_000_000

/**
 * Enumerates the reachable states.
 *
 * @public
 * @param instances the actions and parameters to try in a state; disabled ones are skipped
 * @throws BrokenInvariant with the shortest path to the violation; RangeError beyond `maxStates`
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
    const id = interner.intern(value, `the result of ${by}`)
    if (seen.has(id)) return
    seen.add(id)
    if (seen.size > maxStates) throw new RangeError(`the model reaches more than ${maxStates} states`)
    const state = interner.value(id) as State
    const one = { state, from, by, distance: from === undefined ? 0 : from.distance + 1 }
    const why = brokenInvariant(definition, state)
    if (why !== undefined) throw new BrokenInvariant(`after ${pathTo(one) || 'nothing'}`, why, state)
    found.push(one)
  }
  for (const state of initialStates(definition)) reach(state, undefined, '`init`')
  for (let at = 0; at < found.length; at++) {
    const from = found[at]!
    let isDeadlock = true
    for (const { action, parameters = [] } of instances(from.state)) {
      const successors = perform(definition, from.state, action, parameters)
      if (successors instanceof Disabled) continue
      isDeadlock = false
      transitions += successors.length
      for (const next of successors) reach(next, from, callText(action, parameters))
    }
    if (isDeadlock) deadlocks.push(from.state)
  }
  return { states: found.map(({ state }) => state), transitions, diameter: found.at(-1)!.distance, deadlocks }
}

interface Found<State> {
  readonly state: State
  readonly from: Found<State> | undefined
  readonly by: string
  readonly distance: number
}

function pathTo<State>(found: Found<State>): string {
  const path: string[] = []
  for (let at: Found<State> | undefined = found; at?.from !== undefined; at = at.from) path.unshift(at.by)
  return path.join(', ')
}
