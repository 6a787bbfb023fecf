import { describe, expect, test } from 'vitest'
import { type Actor, type ActorContext, type ActorFactory, actors } from '../../src/cluster/actors.ts'
import { crash, restart } from '../../src/cluster/faults/crash.ts'
import { stepOf } from '../../src/cluster/faults/fault.ts'
import { Simulation } from '../../src/cluster/simulation.ts'

function started(factories: Record<string, unknown>, requests: readonly unknown[] = []): Simulation {
  const system = () => actors(factories as Record<string, ActorFactory>)
  const simulation = new Simulation({ cluster: { system, faults: { crashes: 9 } }, requests, random: () => 0.25 })
  simulation.start()
  return simulation
}

/** Lets all happen that is due. */
function settle(simulation: Simulation): Simulation {
  while (simulation.natural()) {}
  return simulation
}

class Counter implements Actor {
  count = 0
  readonly #context: ActorContext

  constructor(context: ActorContext) {
    this.#context = context
    this.count = context.durable?.count ?? 0
  }

  onRequest(): void {
    this.count++
    this.#context.persist({ count: this.count })
    this.#context.broadcast({ count: this.count })
  }

  onMessage({ count }: { count: number }): void {
    this.count = Math.max(this.count, count)
  }
}

describe('actors', () => {
  test('are classes, or objects of functions taken out of the context; checks see their fields, or their state', () => {
    const simulation = started(
      {
        a: (context: ActorContext) => new Counter(context),
        b: ({ send, id, nodes, nowMs, random }: ActorContext) => {
          const state = { id, nodes: nodes.length, nowMs, chance: random(), heard: 0 }
          return { state, onMessage: () => void state.heard++, onStart: () => send('a', { count: 5 }) }
        },
      },
      ['increment'],
    )
    settle(simulation)
    expect(simulation.view.node('a').state).toMatchObject({ count: 6 })
    expect(simulation.view.node('b').state).toEqual({ id: 'b', nodes: 2, nowMs: 0, chance: 0.25, heard: 1 })
  })

  test('lose their fields in a crash, and find again what was durable, as a copy', () => {
    const simulation = started({ a: (context: ActorContext) => new Counter(context) }, [1, 2, 3])
    simulation.request(0)
    simulation.request(0)
    const before = simulation.view.node('a').state
    simulation.inject(stepOf(crash, { node: 0 }))
    expect(simulation.view.node('a')).toMatchObject({ up: false, state: undefined })
    simulation.inject(stepOf(restart, { node: 0 }))
    expect(simulation.view.node('a').state).not.toBe(before)
    expect(simulation.view.node('a').state).toMatchObject({ count: 2 })
  })

  test('change what was durable by `persist` alone, not by what they do to what they read', () => {
    const simulation = started(
      {
        a: (context: ActorContext) => ({
          read: context.durable?.list,
          onStart: () => context.persist({ list: [] }),
          onRestart: () => {},
          onRequest: (request: number) => void context.durable.list.push(request),
        }),
      },
      [1],
    )
    simulation.request(0)
    simulation.inject(stepOf(crash, { node: 0 }))
    simulation.inject(stepOf(restart, { node: 0 }))
    expect(simulation.view.node('a').state).toMatchObject({ read: [] })
  })

  test('get copies: what a sender goes on changing, its receiver does not see', () => {
    const list = [1]
    let got: unknown
    const simulation = started({
      a: ({ send, setTimer }: ActorContext) => ({
        onStart() {
          send('b', list)
          list.push(2)
          setTimer('again', 0)
        },
        onTimer: () => void list.push(3),
      }),
      b: () => ({
        onMessage(message: unknown) {
          got = message
        },
      }),
    })
    settle(simulation)
    expect([got, list]).toEqual([[1], [1, 2, 3]])
  })

  test('begin again by `onRestart`, or by `onStart` where there is none', () => {
    const begun: string[] = []
    const simulation = started({
      a: () => ({ onStart: () => void begun.push('a starts') }),
      b: () => ({ onStart: () => void begun.push('b starts'), onRestart: () => void begun.push('b restarts') }),
    })
    for (const node of [0, 1]) {
      simulation.inject(stepOf(crash, { node }))
      simulation.inject(stepOf(restart, { node }))
    }
    expect(begun).toEqual(['a starts', 'b starts', 'a starts', 'b restarts'])
  })
})

const onStart =
  (act: (context: ActorContext) => void): ActorFactory =>
  (context) => ({ onStart: () => act(context) })

describe('what makes no sense is refused, where it happens', () => {
  let kept: ActorContext | undefined

  test.each<[string, Record<string, unknown>, string]>([
    ['no nodes', {}, 'a cluster needs at least one node'],
    ['an actor without what makes it', { a: {} }, "'a' must be a function that returns an actor"],
    ['nothing made', { a: () => undefined }, "the factory of actor 'a' returned undefined"],
    ['a promise made', { a: async () => ({}) }, "the factory of actor 'a' returned a promise"],
    [
      'a handler that waits',
      { a: () => ({ onStart: async () => {} }) },
      "the handler of 'a' for 'start' returned a promise: it must be synchronous",
    ],
    ['an unknown receiver', { a: onStart(({ send }) => send('z', 1)) }, "there is no node 'z': the nodes are a"],
    [
      'a message of a class',
      { a: onStart(({ send }) => send('a', new Date(0))) },
      "the message from 'a' to 'a' is not plain data: it is a Date",
    ],
    [
      'a delay that is none',
      { a: onStart(({ setTimer }) => setTimer('t', Number.NaN)) },
      "'a' sets its timer 't' to NaN: a delay is a number of milliseconds, 2147483647 at most",
    ],
    ['one that never ends', { a: onStart(({ setTimer }) => setTimer('t', 1e15)) }, 'to 1000000000000000: a delay'],
    [
      'an answer to nobody',
      { a: onStart(({ reply }) => reply(0, 'yes')) },
      "'a' replies to request 0, which was never made",
    ],
    ['an event without a name', { a: onStart(({ event }) => event('')) }, "'a' reports an event without a name"],
    [
      'an act outside of a handler',
      {
        a: onStart((context) => {
          kept = context
        }),
        b: onStart(() => kept!.send('b', 1)),
      },
      "the actor 'a' acts outside of its handlers",
    ],
  ])('%s', (_, factories, message) => {
    expect(() => started(factories)).toThrow(message)
  })
})

test('what a handler throws is thrown as it is', () => {
  const error = new RangeError('of its own')
  const fail = () => {
    throw error
  }
  expect(() => started({ a: onStart(fail) })).toThrow(error)
})
