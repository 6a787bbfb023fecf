/**
 * The simulation: what holds of every execution, whatever is done to it; and each thing that can be
 * done, by itself.
 */

import { describe, expect, test } from 'vitest'
import { type Actor, type ActorContext, actors } from '../../src/cluster/actors.ts'
import type { ClusterOptions } from '../../src/cluster/definition.ts'
import { crash, restart } from '../../src/cluster/faults/crash.ts'
import { duplicate } from '../../src/cluster/faults/duplicate.ts'
import { stepOf } from '../../src/cluster/faults/fault.ts'
import { heal, partition } from '../../src/cluster/faults/partition.ts'
import { type LogEntry, logText } from '../../src/cluster/log.ts'
import { Simulation } from '../../src/cluster/simulation.ts'
import type { Data, NodeId } from '../../src/cluster/system.ts'
import { chance } from '../../src/tape/chance.ts'

/** Passes numbers on, sets timers, answers; and keeps what it has got. */
function chatter({
  id,
  nodes,
  send,
  setTimer,
  clearTimer,
  reply,
  event,
  persist,
  durable,
  random,
}: ActorContext): Actor {
  const state = { got: [] as unknown[], restarts: durable === undefined ? 0 : durable + 1 }
  const other = () => nodes[Math.floor(random() * nodes.length)]!
  return {
    state,
    onStart() {
      setTimer('tick', 5)
      persist(0)
    },
    onRestart() {
      persist(state.restarts)
      setTimer('tick', 1)
    },
    onTimer(timer) {
      setTimer(timer === 'tick' ? 'tock' : 'tick', 3)
      if (state.got.length % 3 === 2) clearTimer('tock')
      send(other(), { type: 'tick', from: id, left: 2 })
    },
    onMessage(message: { left: number }, from) {
      state.got.push([from, message])
      event('got', message.left)
      if (message.left > 0) send(other(), { ...message, left: message.left - 1 })
    },
    onRequest(request, number) {
      reply(number, request)
      for (const node of nodes) send(node, { type: 'request', left: 1, request })
    },
  }
}

const CHATTER: ClusterOptions = {
  system: () => actors({ a: chatter, b: chatter, c: chatter, d: chatter }),
  faults: { crashes: 3, drops: 4, duplicates: 4, partitions: 3 },
}

interface Driven {
  readonly simulation: Simulation
  /** The log's length before each step, and whether it was possible. */
  readonly steps: readonly { readonly before: number; readonly possible: boolean; readonly snapshot: string }[]
}

/** Drives a cluster by steps from all there are, of which many are not possible. */
function driven(cluster: ClusterOptions, seed: number, count = 200): Driven {
  const draws = chance(1, seed)
  const simulation = new Simulation({ cluster, requests: [1, 2, 3, 4, 5], random: () => draws.unit() })
  simulation.start()
  const { codes } = simulation
  const steps: { before: number; possible: boolean; snapshot: string }[] = []
  for (let at = 0; at < count; at++) {
    simulation.step = at
    const snapshot = snapshotOf(simulation)
    const before = simulation.log.length
    const natural = draws.coin(0.3)
    steps.push({
      before,
      possible: simulation.perform(codes.steps[natural ? 0 : draws.integer(0, codes.max)]!),
      snapshot,
    })
  }
  return { simulation, steps }
}

function snapshotOf({ view, nowUs, trace, injected, network }: Simulation): string {
  const { nodes, messages, requests } = view
  const all = nodes.map(({ id, up, state }) => ({ id, up, state }))
  return JSON.stringify({ all, messages, requests, nowUs, trace, injected, parted: network.isPartitioned })
}

const SEEDS = Array.from({ length: 40 }, (_, seed) => seed)
const KINDS: readonly (readonly [order: 'fifo' | 'any', options: ClusterOptions])[] = [
  ['fifo', CHATTER],
  ['any', { ...CHATTER, network: { order: 'any', perStep: 3 } }],
]

describe.each(KINDS)('whatever is done to a cluster, with channels of order %s', (order, cluster) => {
  const all = SEEDS.map((seed) => driven(cluster, seed))

  test('time never goes back, and steps follow each other', () => {
    for (const { simulation } of all) {
      const times = simulation.log.map(({ atUs }) => atUs)
      expect(times).toEqual(times.toSorted((a, b) => a - b))
      const steps = simulation.log.map(({ step }) => step)
      expect(steps).toEqual(steps.toSorted((a, b) => a - b))
    }
  })

  test('a step that is not possible changes nothing, one that is leaves a mark', () => {
    for (const { simulation, steps } of all) {
      for (const [at, { before, possible, snapshot }] of steps.entries()) {
        const after = steps[at + 1]
        expect((after?.before ?? simulation.log.length) > before).toBe(possible)
        if (after !== undefined && !possible) expect(after.snapshot).toBe(snapshot)
      }
    }
  })

  test('every message is delivered, lost or under way, once for each time it was sent or duplicated', () => {
    for (const { simulation } of all) {
      const balance = new Map<number, number>()
      const add = (id: number, by: number) => balance.set(id, (balance.get(id) ?? 0) + by)
      for (const { kind, id } of simulation.log) {
        if (kind === 'send' || kind === 'duplicate') add(id, 1)
        if (kind === 'deliver' || kind === 'lost') add(id, -1)
      }
      for (const { id } of simulation.view.messages) add(id, -1)
      expect([...balance.values()].filter((left) => left !== 0)).toEqual([])
    }
  })

  test(`messages of a channel come in ${order === 'fifo' ? 'order, duplicates apart' : 'any order'}`, () => {
    let overtaken = 0
    for (const { simulation } of all) {
      const last = new Map<string, number>()
      const twice = new Set(simulation.log.filter(({ kind }) => kind === 'duplicate').map(({ id }) => id))
      for (const { kind, node, peer, id } of simulation.log) {
        if (kind !== 'deliver' || twice.has(id)) continue
        const channel = `${peer} ${node}`
        if (id < (last.get(channel) ?? -1)) overtaken++
        last.set(channel, id)
      }
    }
    if (order === 'fifo') expect(overtaken).toBe(0)
    else expect(overtaken).toBeGreaterThan(0)
  })

  test('nothing happens to a node that is down, and what was durable outlives it', () => {
    for (const { simulation } of all) {
      const down = new Set<NodeId>()
      const restarts = new Map<NodeId, number>()
      for (const { kind, node } of simulation.log) {
        if (kind === 'crash') down.add(node)
        if (kind === 'restart') {
          down.delete(node)
          restarts.set(node, (restarts.get(node) ?? 0) + 1)
        }
        if (['deliver', 'send', 'timeout', 'request', 'reply', 'event'].includes(kind)) {
          expect(down.has(node)).toBe(false)
        }
      }
      for (const { id, up, state } of simulation.view.nodes) {
        expect(up).toBe(!down.has(id))
        if (up) expect(state).toMatchObject({ restarts: restarts.get(id) ?? 0 })
        else expect(state).toBe(undefined)
      }
    }
  })

  test('nothing gets across a partition, and faults keep to their quotas', () => {
    for (const { simulation } of all) {
      let side = new Map<NodeId, number>()
      const count: Record<string, number> = {}
      for (const { kind, node, peer, data, name } of simulation.log) {
        if (kind === 'partition') {
          const groups = data as NodeId[][]
          side = new Map(groups.flatMap((group, at) => group.map((id) => [id, at] as const)))
        }
        if (kind === 'heal') side = new Map()
        if (kind === 'deliver') expect(side.get(node)).toBe(side.get(peer))
        if (kind === 'lost' && name === 'partition') expect(side.get(node)).not.toBe(side.get(peer))
        const fault = kind === 'lost' ? `lost ${name}` : kind
        count[fault] = (count[fault] ?? 0) + 1
      }
      expect(count.crash ?? 0).toBeLessThanOrEqual(3)
      expect(count['lost drop'] ?? 0).toBeLessThanOrEqual(4)
      expect(count.duplicate ?? 0).toBeLessThanOrEqual(4)
      expect(count.partition ?? 0).toBeLessThanOrEqual(3)
    }
  })

  test('the same steps give the same log, byte for byte', () => {
    for (const [seed, { simulation }] of all.entries()) {
      expect(logText(driven(cluster, seed).simulation.log)).toBe(logText(simulation.log))
    }
  })
})

/** A cluster of nodes that only do what a test has them do. */
function idle(count: number, options: Partial<ClusterOptions> = {}, requests: readonly Data[] = []) {
  const contexts: ActorContext[] = []
  const handled: string[] = []
  const todo = new Map<string, (context: ActorContext) => void>()
  const node = (context: ActorContext): Actor => {
    contexts.push(context)
    const handle = (what: string) => {
      handled.push(`${context.id} ${what}`)
      todo.get(context.id)?.(context)
      todo.delete(context.id)
    }
    return {
      state: { id: context.id },
      onStart: () => handle('start'),
      onRestart: () => handle('restart'),
      onTimer: (timer) => handle(`timer ${timer}`),
      onMessage: (message) => handle(`message ${message}`),
      onRequest: (request) => handle(`request ${request}`),
    }
  }
  const names = Array.from({ length: count }, (_, at) => String.fromCharCode(97 + at))
  const cluster: ClusterOptions = {
    system: () => actors(Object.fromEntries(names.map((name) => [name, node]))),
    ...options,
  }
  const simulation = new Simulation({ cluster, requests, random: () => 0 })
  /** Has a node do something when it is handled next. */
  const next = (id: string, act: (context: ActorContext) => void) => todo.set(id, act)
  return { simulation, handled, next }
}

const kindsOf = (log: readonly LogEntry[]) => log.map(({ kind, node }) => `${kind} ${node}`.trim())

describe('timers', () => {
  test('of a node run out in the order in which they are due; a set one is set anew, a cleared one never comes', () => {
    const { simulation, handled, next } = idle(1)
    next('a', ({ setTimer, clearTimer }) => {
      setTimer('late', 30)
      setTimer('early', 10)
      setTimer('moved', 5)
      setTimer('never', 1)
      setTimer('moved', 20)
      clearTimer('never')
    })
    simulation.start()
    while (simulation.timeout(0)) {}
    expect(handled).toEqual(['a start', 'a timer early', 'a timer moved', 'a timer late'])
    expect(simulation.nowUs).toBe(30_000)
  })

  test('of one moment run out in the order in which they were set, of one node and of several', () => {
    const { simulation, handled, next } = idle(2)
    next('b', ({ setTimer }) => setTimer('first', 20))
    next('a', ({ setTimer }) => {
      setTimer('second', 10)
      setTimer('third', 10)
    })
    simulation.start()
    next('a', ({ setTimer }) => setTimer('after', 10))
    while (simulation.natural()) {}
    expect(handled.slice(2)).toEqual(['a timer second', 'a timer third', 'b timer first', 'a timer after'])
  })

  test('that run out early move time; what was due before is late then, and time does not go back for it', () => {
    const { simulation, handled, next } = idle(2)
    next('a', ({ setTimer }) => setTimer('a', 50))
    next('b', ({ setTimer }) => setTimer('b', 10))
    simulation.start()
    expect(simulation.timeout(0)).toBe(true)
    expect(simulation.natural()).toBe(true)
    expect(handled.slice(2)).toEqual(['a timer a', 'b timer b'])
    expect(simulation.nowUs).toBe(50_000)
  })

  test('go with a crash', () => {
    const { simulation, next } = idle(1, { faults: { crashes: 1 } })
    next('a', ({ setTimer }) => setTimer('a', 5))
    simulation.start()
    expect(simulation.inject(stepOf(crash, { node: 0 }))).toBe(true)
    expect([simulation.timeout(0), simulation.natural(), simulation.isQuiescent]).toEqual([false, false, true])
    expect(simulation.inject(stepOf(restart, { node: 0 }))).toBe(true)
    expect(simulation.timeout(0)).toBe(false)
  })
})

describe('what is natural', () => {
  test('is what is due first: messages, timers and requests, and of one moment what was begun first', () => {
    const { simulation, handled, next } = idle(2, { requestEveryMs: 4 }, ['x', 'y'])
    next('a', ({ setTimer, send }) => {
      setTimer('one', 1)
      send('b', 'hello')
      setTimer('five', 5)
    })
    simulation.start()
    while (simulation.natural()) {}
    expect(handled.slice(2)).toEqual(['a timer one', 'b message hello', 'a request x', 'a timer five', 'a request y'])
    expect(simulation.nowUs).toBe(8000)
  })

  test('a request goes to the first node that is up, or where the route says; none that is down gets one', () => {
    const first = idle(2, { faults: { crashes: 1 } }, ['x'])
    first.simulation.start()
    first.simulation.inject(stepOf(crash, { node: 0 }))
    expect(first.simulation.request(0)).toBe(false)
    first.simulation.natural()
    expect(first.handled.at(-1)).toBe('b request x')
    const routed = idle(2, { faults: { crashes: 1 }, route: () => 'b' }, ['x'])
    routed.simulation.start()
    routed.simulation.inject(stepOf(crash, { node: 1 }))
    expect([routed.simulation.natural(), routed.simulation.request(0)]).toEqual([false, false])
    routed.simulation.inject(stepOf(restart, { node: 1 }))
    expect(routed.simulation.request(0)).toBe(true)
    expect(routed.handled.at(-1)).toBe('b request x')
  })

  test('of several nodes that a route names, the step chooses one; by default it is the first that is up', () => {
    const { simulation, handled } = idle(3, { faults: { crashes: 1 }, route: () => ['c', 'b'] }, ['x', 'y', 'z'])
    simulation.start()
    expect(simulation.takers).toEqual([1, 2])
    expect([simulation.request(0), simulation.request(1)]).toEqual([false, true])
    simulation.natural()
    simulation.inject(stepOf(crash, { node: 2 }))
    expect(simulation.takers).toEqual([1])
    simulation.natural()
    expect(handled.filter((each) => each.includes('request'))).toEqual(['b request x', 'c request y', 'b request z'])
  })
})

describe('messages', () => {
  test('to a node that is down are lost when they come; one that is up again gets what is still under way', () => {
    const { simulation, next, handled } = idle(2, { faults: { crashes: 1 } })
    next('a', ({ send }) => {
      send('b', 1)
      send('b', 2)
    })
    simulation.start()
    simulation.inject(stepOf(crash, { node: 1 }))
    simulation.deliver(0, 1, 1)
    simulation.inject(stepOf(restart, { node: 1 }))
    simulation.deliver(0, 1, 1)
    expect(kindsOf(simulation.log).slice(-4)).toEqual(['crash b', 'lost b', 'restart b', 'deliver b'])
    expect(handled.at(-1)).toBe('b message 2')
  })

  test('sent across a partition are lost, those under way wait until it heals', () => {
    const { simulation, next, handled } = idle(2, { faults: { partitions: 1 } })
    next('a', ({ send, setTimer }) => {
      send('b', 'before')
      setTimer('later', 1)
    })
    simulation.start()
    expect(simulation.inject(stepOf(partition, { side: [0, 1] }))).toBe(true)
    next('a', ({ send }) => send('b', 'across'))
    simulation.timeout(0)
    expect([simulation.deliver(0, 1, 1), simulation.natural()]).toEqual([false, false])
    simulation.inject(stepOf(heal))
    simulation.natural()
    expect([handled.at(-1), simulation.natural()]).toEqual(['b message before', false])
  })

  test('what is sent while several are delivered waits for another step', () => {
    const { simulation, next, handled } = idle(1)
    next('a', ({ send }) => {
      send('a', 1)
      send('a', 2)
    })
    simulation.start()
    next('a', ({ send }) => send('a', 3))
    simulation.deliver(0, 0, 5)
    expect(handled).toEqual(['a start', 'a message 1', 'a message 2'])
    simulation.deliver(0, 0, 5)
    expect(handled.at(-1)).toBe('a message 3')
  })

  test('that come twice come the second time as late as if they had been sent again', () => {
    const { simulation, next } = idle(2, { faults: { duplicates: 1 }, network: { latencyMs: 3 } })
    next('a', ({ send, setTimer }) => {
      send('b', 'once')
      setTimer('between', 2)
    })
    simulation.start()
    simulation.timeout(0)
    simulation.inject(stepOf(duplicate, { from: 0, to: 1 }))
    while (simulation.natural());
    const delivered = simulation.log.filter(({ kind }) => kind === 'deliver')
    expect(delivered.map(({ atUs }) => atUs)).toEqual([3000, 5000])
  })

  test('are the own of whoever gets them: what it does to one shows neither in a duplicate nor in the log', () => {
    const got: unknown[] = []
    const cluster: ClusterOptions = {
      system: () =>
        actors({
          a: ({ send }) => ({
            onRequest(request: { hops: number }) {
              send('b', request)
              request.hops = 7
            },
          }),
          b: () => ({
            onMessage(message: { hops: number }) {
              got.push(message.hops)
              message.hops++
            },
          }),
        }),
      faults: { duplicates: 1 },
    }
    const simulation = new Simulation({ cluster, requests: [{ hops: 0 }], random: () => 0 })
    simulation.start()
    simulation.natural()
    simulation.inject(stepOf(duplicate, { from: 0, to: 1 }))
    while (simulation.natural());
    expect(got).toEqual([0, 0])
    expect(simulation.requests[0]!.request).toEqual({ hops: 0 })
    const logged = simulation.log.filter(({ kind }) => kind === 'request' || kind === 'send' || kind === 'deliver')
    expect(logged.map(({ data }) => data)).toEqual(logged.map(() => ({ hops: 0 })))
  })

  test('of an unordered channel the one that is meant comes; where there are fewer, none', () => {
    const { simulation, next, handled } = idle(2, { network: { order: 'any' } })
    next('a', ({ send }) => {
      for (const number of [1, 2, 3]) send('b', number)
    })
    simulation.start()
    expect(simulation.deliver(0, 1, 4)).toBe(false)
    for (const count of [2, 2, 1]) expect(simulation.deliver(0, 1, count)).toBe(true)
    expect(handled.slice(2)).toEqual(['b message 2', 'b message 3', 'b message 1'])
  })
})

describe('checks', () => {
  test('the invariant is asked after each thing that happens, once all nodes have started', () => {
    const seen: number[] = []
    const { simulation, next } = idle(3, {
      invariant: ({ log, nodes }) => void seen.push(log.length * 10 + nodes.length),
    })
    next('a', ({ send }) => send('b', 1))
    simulation.start()
    simulation.natural()
    expect(seen).toEqual([43, 53])
  })

  test('a check that waits is refused: what it found would be lost', () => {
    const { simulation } = idle(1, { invariant: (async () => {}) as () => void })
    expect(() => simulation.start()).toThrow('`invariant` returned a promise: it must be synchronous')
  })
})

test.each([
  [() => 'z', "`route` sends request 0 to 'z', which is not a node: the nodes are a"],
  [() => ['a', 'z'], "`route` sends request 0 to 'z', which is not a node: the nodes are a"],
  [async () => 'a', '`route` returned a promise'],
])('a route that leads to no node is told of as such', (route, message) => {
  const cluster = { system: () => actors({ a: () => ({}) }), route } as unknown as ClusterOptions
  const simulation = new Simulation({ cluster, requests: [1], random: () => 0 })
  simulation.start()
  expect(() => simulation.natural()).toThrow(message)
})

describe('bounds', () => {
  const storm = (node: (context: ActorContext) => Actor) => {
    const simulation = new Simulation({
      cluster: { system: () => actors({ a: node, b: node }) },
      requests: [],
      random: () => 0,
    })
    simulation.start()
    return () => {
      while (simulation.natural()) {}
    }
  }

  test('of messages under way', () => {
    const run = storm(({ send, id }) => ({
      onStart: () => send(id, 0),
      onMessage() {
        for (let at = 0; at < 5000; at++) send('b', at)
      },
    }))
    expect(run).toThrow('more than 20000 messages in flight')
  })

  test('of what one event sends', () => {
    const run = () =>
      storm(({ send }) => ({
        onStart() {
          for (;;) send('b', 'again')
        },
      }))
    expect(run).toThrow("'a' sends more than 10000 messages in answer to one event")
  })

  test('of what happens in one execution: two that answer each other for ever', () => {
    const run = storm(({ send, id }) => ({
      onStart: () => send('b', 0),
      onMessage: () => send(id === 'a' ? 'b' : 'a', 0),
    }))
    expect(run).toThrow('more than 300000 log entries in one execution')
  })
})

test('clusters that differ in their network or their faults alone number their steps each in its own way', () => {
  const variants: Partial<ClusterOptions>[] = [
    {},
    { network: { perStep: 2 } },
    { network: { order: 'any' } },
    { faults: { crashes: 1 } },
    { faults: { drops: 1 } },
    { faults: { duplicates: 1 } },
    { faults: { partitions: 1 } },
  ]
  const numbered = variants.map((variant) => {
    const { codes } = idle(2, variant).simulation
    return codes.steps.map((_, code) => codes.describe(code)).join()
  })
  // Drops and duplicates are as many steps of other names.
  expect(new Set(numbered).size).toBe(variants.length)
})

describe('systems', () => {
  test.each([
    [undefined, '`system` returned undefined: it must return a system, such as `actors({ … })`'],
    [Promise.resolve(1), '`system` returned a promise'],
    [{ nodes: [], perform: () => {} }, 'the system has no nodes'],
    [{ nodes: ['a', ''], perform: () => {} }, 'node 1 of the system has no name'],
    [{ nodes: ['a', 'b', 'a'], perform: () => {} }, "two nodes of the system are called 'a'"],
    [{ nodes: Array.from({ length: 201 }, (_, at) => `n${at}`), perform: () => {} }, 'there may be 200 at most'],
  ])('%o is none', (given, message) => {
    const cluster = { system: () => given } as unknown as ClusterOptions
    expect(() => new Simulation({ cluster, requests: [], random: () => 0 })).toThrow(message)
  })

  test('of one node and of fifty, with names that are numbers or words of the language', () => {
    const names = ['__proto__', 'constructor', '10', '9', 'a → b', 'ü']
    for (const nodes of [['only'], names, Array.from({ length: 50 }, (_, at) => `n${at}`)]) {
      const factories = Object.fromEntries(nodes.map((name) => [name, chatter]))
      const cluster = {
        system: () => actors(factories),
        faults: { crashes: 1, drops: 1, duplicates: 1, partitions: 1 },
      }
      const { simulation } = driven(cluster, 1, 100)
      expect(simulation.nodes.toSorted()).toEqual(nodes.toSorted())
      expect(simulation.view.node(nodes[0]!).id).toBe(nodes[0])
      expect(simulation.log.length).toBeGreaterThan(nodes.length)
    }
    expect(Object.keys(Object.fromEntries(['b', '10', '9'].map((name) => [name, chatter])))).toEqual(['9', '10', 'b'])
  })
})
