import { expect, test } from 'vitest'
import { actors } from '../../src/cluster/actors.ts'
import { crash, restart } from '../../src/cluster/faults/crash.ts'
import { stepOf } from '../../src/cluster/faults/fault.ts'
import { type Effect, type Reducer, type ReducerEvent, reducer } from '../../src/cluster/reducers.ts'
import { Simulation } from '../../src/cluster/simulation.ts'

function started(reduce: Reducer<unknown>, requests: readonly unknown[] = []): Simulation {
  const system = () => actors({ a: reducer(reduce), b: reducer(reduce) })
  const simulation = new Simulation({ cluster: { system, faults: { crashes: 1 } }, requests, random: () => 0 })
  simulation.start()
  return simulation
}

test('a node is what its state is, and does what its effects say', () => {
  const counting: Reducer<number> = {
    init: (_, durable) => (durable as number | undefined) ?? 0,
    handle(state, event, { id }) {
      switch (event.type) {
        case 'request':
          return {
            state: state + 1,
            effects: [
              { type: 'reply', request: event.id, reply: state + 1 },
              { type: 'send', to: id === 'a' ? 'b' : 'a', message: state + 1 },
              { type: 'setTimer', timer: 'kept', delayMs: 3 },
              { type: 'setTimer', timer: 'cleared', delayMs: 1 },
              { type: 'clearTimer', timer: 'cleared' },
              { type: 'event', name: 'counted' },
              { type: 'persist', data: 40 },
            ],
          }
        case 'message':
          return { state: Math.max(state, event.message as number) }
        case 'timeout':
          return { state: state + 10 }
        default:
          return {}
      }
    },
  }
  const simulation = started(counting as Reducer<unknown>, ['count'])
  while (simulation.natural()) {}
  expect(simulation.view.nodes.map(({ state }) => state)).toEqual([11, 1])
  expect(simulation.view.requests).toMatchObject([{ node: 'a', replies: [1] }])
  expect(simulation.log.map(({ kind }) => kind)).toEqual([
    ...['start', 'start', 'request', 'reply', 'send', 'event', 'deliver', 'timeout'],
  ])
  simulation.inject(stepOf(crash, { node: 0 }))
  simulation.inject(stepOf(restart, { node: 0 }))
  expect(simulation.view.node('a').state).toBe(40)
})

test.each<[string, unknown, string]>([
  ['nothing', undefined, "the reducer 'a' returned undefined for 'start': it must return { state, effects }"],
  ['a promise', Promise.resolve({}), "the reducer 'a' returned a promise"],
  [
    'an effect that there is not',
    { effects: [{ type: 'shout' } as unknown as Effect] },
    "no effect is of type 'shout'",
  ],
])('a reducer that gives %s is refused', (_, given, message) => {
  const reduce = { init: () => 0, handle: (_: unknown, __: ReducerEvent) => given } as Reducer<unknown>
  expect(() => started(reduce)).toThrow(message)
})

test('one whose functions are none is refused where it is made', () => {
  const make = (reduce: unknown) => () => reducer(reduce as Reducer<unknown>)
  expect(make({ init: { owner: null }, handle: () => ({}) })).toThrow('`init` must be a function')
  expect(make({ init: () => 0 })).toThrow('reducer({ init, handle }): `handle` must be a function')
  expect(make(undefined)).toThrow(TypeError)
})
