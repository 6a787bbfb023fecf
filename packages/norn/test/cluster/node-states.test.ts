/** What is recorded of the states of nodes: changes alone, bounded, without calling anything of theirs. */
import { expect, it } from 'vitest'
import { type ActorContext, actors } from '../../src/cluster/actors.ts'
import type { LogEntry } from '../../src/cluster/log.ts'
import { NodeStates } from '../../src/cluster/node-states.ts'
import type { Effects } from '../../src/cluster/system.ts'
import type { ClusterView } from '../../src/cluster/views.ts'

function watched(state: unknown) {
  const log: LogEntry[] = []
  const node = { id: 'a', up: true, state }
  const view = { nodes: [node], log } as unknown as ClusterView
  return { node, log, states: new NodeStates(view) }
}

it('records a field when it changes, and when it is gone', () => {
  const { node, log, states } = watched({ term: 1, voted: null })
  states.settled()
  states.settled()
  log.length = 3
  node.state = { term: 2, voted: null }
  states.settled()
  node.state = undefined
  states.settled()
  expect(states.changes).toEqual([
    [0, 0, 'term', '1'],
    [0, 0, 'voted', 'null'],
    [3, 0, 'term', '2'],
    [3, 0, 'term'],
    [3, 0, 'voted'],
  ])
})

it('a state that is no object is one value', () => {
  const { states } = watched(new Map([['x', 1]]))
  states.settled()
  expect(states.changes).toEqual([[0, 0, '', "Map(1) { 'x' => 1 }"]])
})

it('calls no getters, and shows no methods', () => {
  const { states } = watched({
    get boom(): never {
      throw new Error('called')
    },
    act() {},
    long: 'x'.repeat(5000),
    [Symbol.toStringTag]: 'S',
  })
  states.settled()
  expect(states.changes.map(([, , name]) => name)).toEqual(['long'])
  expect(states.changes[0]![3]!.length).toBeLessThan(300)
})

it('leaves out what norn gave the node, wherever the node keeps it', () => {
  class Replica {
    readonly context: ActorContext
    readonly log: readonly string[] = []
    readonly peers: readonly object[]
    constructor(context: ActorContext) {
      this.context = context
      this.peers = [{ name: 'b', context }]
    }
    onTimer(): void {}
  }
  const system = actors({ a: (context) => new Replica(context) })
  system.reset()
  system.perform({ type: 'start', node: 'a' }, {} as Effects)
  const { states } = watched(system.state!('a'))
  states.settled()
  expect(states.changes).toEqual([
    [0, 0, 'log', '[]'],
    [0, 0, 'peers', "[ { name: 'b' } ]"],
  ])
})
