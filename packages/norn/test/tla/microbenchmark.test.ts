import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { microbenchmarkActions, microbenchmarkModel, type Size } from '../../../../bench/microbenchmark/model.ts'
import { MODELS } from '../../../../models/counts.ts'
import type { Machine, State } from '../../../tla/src/evaluate/machine.ts'
import { loadMachine } from '../../../tla/src/node/load.ts'
import { toPlain } from '../../../tla/src/values/plain.ts'
import { Disabled, type ModelDefinition, perform } from '../../src/model/definition.ts'
import type { Action } from '../../src/model/model.ts'

/** For each reachable state, as text, where each action that is enabled leads. */
type Graph = ReadonlyMap<string, Readonly<Record<string, readonly string[]>>>

function graphOf<Node>(
  first: Node,
  actions: readonly Action[],
  textOf: (node: Node) => string,
  step: (node: Node, action: Action) => readonly Node[],
): Graph {
  const graph = new Map<string, Record<string, readonly string[]>>([[textOf(first), {}]])
  const queue = [first]
  for (const node of queue) {
    for (const action of actions) {
      const led = step(node, action)
      if (led.length === 0) continue
      graph.get(textOf(node))![`${action.action}(${action.parameters ?? ''})`] = led.map(textOf)
      for (const next of led) {
        if (graph.has(textOf(next))) continue
        graph.set(textOf(next), {})
        queue.push(next)
      }
    }
  }
  return graph
}

function specified({ workers, executes }: Size, actions: readonly Action[]): Graph {
  const configuration = join(MODELS, `Microbenchmark${workers}x${executes}.cfg`)
  const machine: Machine = loadMachine(join(MODELS, 'Microbenchmark.tla'), { configuration })
  const { variables, current, primed } = machine
  const initial: State[] = []
  machine.initial(() => initial.push([...current]))
  const step = (state: State, { action, parameters = [] }: Action) => {
    for (const [at, value] of state.entries()) current[at] = value
    const led: State[] = []
    machine.action(action)!.step(parameters as number[], () => led.push([...primed] as State))
    return led
  }
  const textOf = (state: State) =>
    JSON.stringify(Object.fromEntries(variables.map((name, at) => [name, toPlain(state[at]!)])))
  return graphOf(initial[0]!, actions, textOf, step)
}

function written<State extends object>(definition: ModelDefinition<State>, actions: readonly Action[]): Graph {
  const step = (state: State, { action, parameters = [] }: Action) => {
    const led = perform(definition, state, action, parameters)
    return led instanceof Disabled ? [] : led
  }
  return graphOf(definition.init as State, actions, JSON.stringify, step)
}

describe('the microbenchmark', () => {
  it.each([
    [5, 10, 765],
    [6, 40, 2313],
  ])(
    'with %i workers and %i executes is the same in TLA+ and in TypeScript: %i states, and each action leads from each to the same ones',
    (workers, executes, states) => {
      const size = { workers, executes }
      const actions = microbenchmarkActions(size)
      const graph = specified(size, actions)
      expect(graph.size).toBe(states)
      expect(graph).toEqual(written(microbenchmarkModel(size), actions))
    },
  )
})
