/**
 * The overview example of the ModelFuzz paper: an AppMaster, one worker, a Terminator, and a client
 * whose request comes too early, or not. It shows what guidance by abstract states sees and
 * guidance by traces does not.
 */
import { describe, expect, test } from 'vitest'
import {
  CLIENT,
  MASTER,
  microbenchmark,
  SeededBug,
  TERMINATOR,
  workerNode,
} from '../../../../bench/microbenchmark/actors.ts'
import { runSchedule } from '../../src/cluster/run.ts'
import { Simulation } from '../../src/cluster/simulation.ts'
import { NATURAL } from '../../src/cluster/steps.ts'
import { disabled, type ModelDefinition } from '../../src/model/definition.ts'
import { readyChannels } from './ready-channels.ts'

const WORKER = workerNode(1)

/** What is delivered: sender and receiver. In this example that says which message it is. */
type Delivery = readonly [from: string, to: string]

const REQUEST: Delivery = [CLIENT, MASTER]
const REGISTER_WORKER: Delivery = [WORKER, MASTER]
const REGISTER_TERMINATOR: Delivery = [TERMINATOR, MASTER]
const EXECUTE: Delivery = [MASTER, WORKER]
const TERMINATE: Delivery = [MASTER, TERMINATOR]
const FLUSH: Delivery = [TERMINATOR, WORKER]

/** As the example's model, it counts those who are registered, and does not tell them apart. */
interface Overview {
  readonly registered: number
  readonly accepted: boolean
  readonly executed: boolean
  readonly terminating: boolean
  readonly flushed: boolean
}

const MODEL: ModelDefinition<Overview> = {
  init: { registered: 0, accepted: false, executed: false, terminating: false, flushed: false },
  actions: {
    AnnounceWorker: (state) => state,
    AnnounceTerminator: (state) => state,
    RegisterWorker: (state) => ({ ...state, registered: state.registered + 1 }),
    RegisterTerminator: (state) => ({ ...state, registered: state.registered + 1 }),
    Request: (state) => (state.registered < 2 ? disabled('not all are registered') : { ...state, accepted: true }),
    Execute: (state) => (state.accepted ? { ...state, executed: true } : disabled('nothing is accepted')),
    Terminate: (state) => (state.accepted ? { ...state, terminating: true } : disabled('nothing is accepted')),
    Flush: (state) => (state.terminating ? { ...state, flushed: true } : disabled('nothing is terminating')),
  },
}

interface Execution {
  readonly order: readonly Delivery[]
  readonly trace: number
  readonly states: readonly number[]
  readonly isBug: boolean
}

const cluster = microbenchmark({
  workers: 1,
  executes: 1,
  begin: 'at once',
  model: MODEL as unknown as ModelDefinition<object>,
})

function begin(): Simulation {
  const simulation = new Simulation({ cluster, requests: [], random: () => 0 })
  simulation.start()
  return simulation
}

/** The deliveries as steps of a schedule. */
function steps(simulation: Simulation, order: readonly Delivery[]): number[] {
  return order.map(([from, to]) => simulation.codes.deliver(simulation.indexOf(from), simulation.indexOf(to), 1))
}

/**
 * Runs deliveries as a schedule: one that is not possible is passed over, and what is left comes in
 * the order of time.
 */
function run(order: readonly Delivery[]): Execution {
  const simulation = begin()
  const schedule = steps(simulation, order)
  let isBug = false
  try {
    runSchedule(simulation, { next: (ordinal) => schedule[ordinal] ?? NATURAL })
  } catch (error) {
    if (!(error instanceof SeededBug)) throw error
    isBug = true
  }
  return { order, trace: simulation.trace, states: simulation.following!.states, isBug }
}

/** Every order in which everything can be delivered. */
function allOrders(prefix: readonly Delivery[] = []): readonly (readonly Delivery[])[] {
  const simulation = begin()
  try {
    for (const step of steps(simulation, prefix)) simulation.perform(simulation.codes.steps[step]!)
  } catch (error) {
    if (!(error instanceof SeededBug)) throw error
    return [prefix]
  }
  const ready = readyChannels(simulation.network)
  if (ready.length === 0) return [prefix]
  const name = (node: number) => simulation.nodes[node]!
  return ready.flatMap(([from, to]) => allOrders([...prefix, [name(from), name(to)]]))
}

/** How many states each execution adds to those before it. */
function statesAdded(executions: readonly Execution[]): readonly number[] {
  const seen = new Set<number>()
  return executions.map(({ states }) => {
    const before = seen.size
    for (const state of states) seen.add(state)
    return seen.size - before
  })
}

const E1 = run([REQUEST, REGISTER_WORKER, REGISTER_TERMINATOR])
const E2 = run([REQUEST, REGISTER_TERMINATOR, REGISTER_WORKER])
const E3 = run([REGISTER_WORKER, REQUEST, REGISTER_TERMINATOR])
const E4 = run([REGISTER_TERMINATOR, REQUEST, REGISTER_WORKER])
const E5 = run([REGISTER_WORKER, REGISTER_TERMINATOR, REQUEST, EXECUTE, TERMINATE, FLUSH])
const E6 = run([REGISTER_TERMINATOR, REGISTER_WORKER, REQUEST, TERMINATE, EXECUTE, FLUSH])

describe('the overview example', () => {
  test('has ten orders and eight Mazurkiewicz traces', () => {
    const executions = allOrders().map(run)
    expect(executions).toHaveLength(10)
    expect(new Set(executions.map(({ trace }) => trace)).size).toBe(8)
    expect(executions.filter(({ isBug }) => isBug).map(({ order }) => order.slice(3))).toEqual([
      [TERMINATE, FLUSH, EXECUTE],
      [TERMINATE, FLUSH, EXECUTE],
    ])
  })

  test('Execute and Terminate happen at different processes: their order makes no other trace', () => {
    const other = run([REGISTER_WORKER, REGISTER_TERMINATOR, REQUEST, TERMINATE, EXECUTE, FLUSH])
    expect(other.trace).toBe(E5.trace)
    expect(other.states).not.toEqual(E5.states)
  })

  test('E1 to E6 are all new to guidance by traces', () => {
    expect(new Set([E1, E2, E3, E4, E5, E6].map(({ trace }) => trace)).size).toBe(6)
  })

  test('of E1 to E4, whose request comes too early, only the first is new to guidance by the model; E5 and E6 are', () => {
    // E1: none, one, both registered. E5: accepted, executed, terminating, flushed. E6: terminating
    // before the execution.
    expect(statesAdded([E1, E2, E3, E4, E5, E6])).toEqual([3, 0, 0, 0, 4, 1])
  })

  test('to swap Execute and Flush in E6 gives E7, which has the bug; in E5 it does not', () => {
    // What SwapBuffers makes of the two steps: they exchange their channels, and keep their counts,
    // which are 1.
    const swapped = (order: readonly Delivery[]) =>
      order.map((delivery) => (delivery === EXECUTE ? FLUSH : delivery === FLUSH ? EXECUTE : delivery))
    expect([E1, E2, E3, E4, E5, E6].some(({ isBug }) => isBug)).toBe(false)
    expect(run(swapped(E6.order)).isBug).toBe(true)
    // Nobody has sent Flush when it would be delivered first.
    expect(run(swapped(E5.order)).isBug).toBe(false)
  })
})
