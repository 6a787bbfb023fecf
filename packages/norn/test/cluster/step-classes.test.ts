/** Classes of steps: what they tell apart, and what not. */

import { describe, expect, test } from 'vitest'
import { actors } from '../../src/cluster/actors.ts'
import { crash } from '../../src/cluster/faults/crash.ts'
import { stepOf } from '../../src/cluster/faults/fault.ts'
import { heal } from '../../src/cluster/faults/partition.ts'
import { Simulation } from '../../src/cluster/simulation.ts'
import { StepClasses } from '../../src/cluster/step-classes.ts'
import type { Data } from '../../src/cluster/system.ts'
import { NO_WEIGHTS, type StepWeights } from '../../src/contract/plan.ts'

const [SENDER, RECEIVER, OTHER] = [0, 1, 2]
const CHANNEL = SENDER * 3 + RECEIVER

/** The sender sends these messages; the receiver has this state, and its term grows with each message. */
function simulated(messages: readonly Data[], state: Record<string, Data> = {}): Simulation {
  const own = { ...state }
  const receiver = () => ({
    state: own,
    onMessage: () => {
      if (typeof own.term === 'number') own.term++
    },
  })
  const system = () =>
    actors({
      sender: ({ send }) => ({ onStart: () => messages.forEach((message) => void send('receiver', message)) }),
      receiver,
      other: ({ send }) => ({ onStart: () => messages.forEach((message) => void send('receiver', message)) }),
    })
  const simulation = new Simulation({
    cluster: { system, faults: { crashes: 2, drops: 2 } },
    requests: [],
    random: () => 0,
  })
  simulation.start()
  return simulation
}

const deliver = { kind: 'deliver', from: SENDER, to: RECEIVER, count: 1 } as const

/** The class of the delivery of a message to a receiver with some state. */
function classOf(message: Data, state?: Record<string, Data>): number {
  return new StepClasses(simulated([message], state), NO_WEIGHTS).of(deliver)
}

describe('the class of a delivery', () => {
  test('tells types, truths and the lengths of short lists apart', () => {
    const messages = [
      { type: 'ask' },
      { type: 'vote' },
      { type: 'vote', granted: true },
      { type: 'vote', granted: false },
      { type: 'append', entries: [] },
      { type: 'append', entries: [7] },
      { type: 'append', entries: [7, 7] },
    ]
    expect(new Set(messages.map((message) => classOf(message))).size).toBe(messages.length)
  })

  test('does not tell values, names of nodes, long lists and orders of fields apart', () => {
    const alike: [Data, Data][] = [
      [
        { type: 'put', value: 'x1' },
        { type: 'put', value: 'y 2' },
      ],
      [
        { type: 'put', term: 1 },
        { type: 'put', term: 2 },
      ],
      [
        { type: 'vote', for: 'sender' },
        { type: 'vote', for: 'other' },
      ],
      [{ entries: [1, 2] }, { entries: [3, 4, 5] }],
      [
        { type: 'put', last: true },
        { last: true, type: 'put' },
      ],
    ]
    for (const [one, another] of alike) expect(classOf(one)).toBe(classOf(another))
  })

  test('compares a number with the field of the receiver that has its name', () => {
    const [older, same, newer, newest] = [1, 2, 3, 9].map((term) => classOf({ type: 'ask', term }, { term: 2 }))
    expect(new Set([older, same, newer]).size).toBe(3)
    expect(newest).toBe(newer)
  })

  test('is another one once the state has changed, or the receiver is down', () => {
    const simulation = simulated([{ term: 1 }, { term: 1 }, { term: 1 }], { term: 0 })
    const classes = new StepClasses(simulation, NO_WEIGHTS)
    const seen: number[] = []
    const perform = (step: Parameters<Simulation['perform']>[0]) => {
      seen.push(classes.of(deliver))
      expect(simulation.perform(step)).toBe(true)
      classes.performed(step)
    }
    perform(deliver)
    perform(deliver)
    perform(stepOf(crash, { node: RECEIVER }))
    seen.push(classes.of(deliver))
    expect(new Set(seen).size).toBe(4)
  })

  test('does not depend on the sender, and is the same number in every process', () => {
    const classes = new StepClasses(simulated([{ type: 'ask', term: 3, names: ['a'] }], { term: 2 }), NO_WEIGHTS)
    expect(classes.of({ ...deliver, from: OTHER })).toBe(classes.of(deliver))
    expect(classes.of(deliver)).toBe(PINNED)
  })
})

/** Weights are saved with plans under these numbers. */
const PINNED = 2269188100

test('the class of a crash depends on the names and truths of the state', () => {
  const step = stepOf(crash, { node: RECEIVER })
  const [leader, later, follower] = [
    { role: 'leader', term: 1 },
    { role: 'leader', term: 2 },
    { role: 'follower', term: 2 },
  ].map((state) => new StepClasses(simulated([], state), NO_WEIGHTS).of(step))
  expect(leader).toBe(later)
  expect(leader).not.toBe(follower)
})

test('a state that cannot be read has no fields', () => {
  const system = () =>
    actors({
      a: ({ send }) => ({ onStart: () => send('b', { term: 1 }) }),
      b: () => ({
        get state(): Data {
          throw new Error('not yet')
        },
      }),
    })
  const simulation = new Simulation({ cluster: { system }, requests: [], random: () => 0 })
  simulation.start()
  const [unreadable, empty] = [simulation, simulated([{ term: 1 }])]
  expect(new StepClasses(unreadable, NO_WEIGHTS).of({ ...deliver, from: 0, to: 1 })).toBe(
    new StepClasses(empty, NO_WEIGHTS).of(deliver),
  )
})

test('factors are those of the classes of the weights, and 1 for others', () => {
  const simulation = simulated([{ type: 'ask' }], { role: 'leader' })
  const { of } = { of: (step: Parameters<StepClasses['of']>[0]) => new StepClasses(simulation, NO_WEIGHTS).of(step) }
  const weights: StepWeights = {
    classes: [of(deliver), of(stepOf(crash, { node: RECEIVER })), of(stepOf(heal))],
    factors: [2, 3, 4],
  }
  const classes = new StepClasses(simulation, weights)
  expect(classes.deliveries[CHANNEL]).toBe(2)
  expect(classes.ofChannel(CHANNEL, 'drop')).toBe(1)
  expect(classes.ofNode(RECEIVER, 'crash')).toBe(3)
  expect(classes.ofNode(RECEIVER, 'timeout')).toBe(1)
  expect([classes.ofNetwork('heal'), classes.ofNetwork('partition')]).toEqual([4, 1])
})

test('a situation is that of the nodes as a whole, whichever node has which state', () => {
  const situationOf = (roles: readonly string[], terms: readonly number[] = [0, 0]) => {
    const system = () => actors({ a: () => ({ state: stateOf(0) }), b: () => ({ state: stateOf(1) }) })
    const stateOf = (node: number) => ({ role: roles[node], term: terms[node] })
    const simulation = new Simulation({ cluster: { system }, requests: [], random: () => 0 })
    simulation.start()
    return new StepClasses(simulation, NO_WEIGHTS).situation()
  }
  expect(situationOf(['leader', 'follower'])).toBe(situationOf(['follower', 'leader'], [3, 4]))
  expect(situationOf(['leader', 'follower'])).not.toBe(situationOf(['leader', 'leader']))
})

test('a channel is on hold in the steps of the hold', () => {
  const simulation = simulated([{ type: 'ask' }])
  const hold = { from: SENDER, to: RECEIVER, first: 3, last: 5 }
  const classes = new StepClasses(simulation, { ...NO_WEIGHTS, hold })
  const held = [2, 3, 4, 5].map((step) => {
    simulation.step = step
    return classes.held
  })
  expect(held).toEqual([-1, CHANNEL, CHANNEL, -1])
})
