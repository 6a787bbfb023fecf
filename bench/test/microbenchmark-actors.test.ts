import { describe, expect, test } from 'vitest'
import { runSchedule } from '../../packages/norn/src/cluster/run.ts'
import { Simulation } from '../../packages/norn/src/cluster/simulation.ts'
import { NATURAL } from '../../packages/norn/src/cluster/steps.ts'
import { chance } from '../../packages/norn/src/tape/chance.ts'
import { CLIENT, MASTER, microbenchmark, SeededBug, TERMINATOR, workerNode } from '../microbenchmark/actors.ts'
import { reachableStates, type Size } from '../microbenchmark/model.ts'

function begin(size: Size): Simulation {
  const random = () => {
    throw new Error('no actor asks for chance')
  }
  const simulation = new Simulation({ cluster: microbenchmark(size), requests: [], random })
  simulation.start()
  return simulation
}

/** Runs executions by chance, each step one of what is possible. */
function runRandomly(size: Size, executions: number) {
  const states = new Set<number>()
  let found = 0
  for (let at = 0; at < executions; at++) {
    const random = chance(at)
    const simulation = begin(size)
    try {
      runSchedule(simulation, { next: (_ordinal, _max, suggest) => suggest(random) })
    } catch (error) {
      if (!(error instanceof SeededBug)) throw error
      found++
    }
    for (const state of simulation.following!.states) states.add(state)
  }
  return { states: states.size, found }
}

/** Lets everybody register, and the request be accepted. */
function accept(simulation: Simulation): void {
  for (const node of [
    ...Array.from({ length: simulation.nodes.length - 3 }, (_, at) => workerNode(at + 1)),
    TERMINATOR,
    CLIENT,
  ]) {
    expect(simulation.timeout(simulation.indexOf(node))).toBe(true)
    deliver(simulation, node, MASTER)
  }
}

function deliver(simulation: Simulation, from: string, to: string): void {
  expect(simulation.deliver(simulation.indexOf(from), simulation.indexOf(to), 1)).toBe(true)
}

describe('the microbenchmark', () => {
  test('has the bug where Flush comes just before the last Execute, and at no other moment', () => {
    const executes = 10
    for (let before = 1; before < executes; before++) {
      const simulation = begin({ workers: 5, executes })
      accept(simulation)
      deliver(simulation, MASTER, TERMINATOR)
      deliver(simulation, MASTER, workerNode(1))
      for (let more = 1; more < before; more++) deliver(simulation, workerNode(1), workerNode(1))
      deliver(simulation, TERMINATOR, workerNode(1))
      const last = () => {
        while (simulation.natural());
      }
      if (before === executes - 1) expect(last).toThrow(SeededBug)
      else expect(last).not.toThrow()
    }
  })

  test('drops a request that comes before all are registered', () => {
    const simulation = begin({ workers: 5, executes: 10 })
    simulation.timeout(simulation.indexOf(CLIENT))
    deliver(simulation, CLIENT, MASTER)
    expect(simulation.network.size).toBe(0)
    expect(simulation.following!.followed).toMatchObject([{ action: 'Request', reason: 'a worker is not registered' }])
  })

  test('does not show it where nothing interferes, and all that happens is known to the model', () => {
    const simulation = begin({ workers: 6, executes: 40 })
    runSchedule(simulation, { next: () => NATURAL })
    const { following, cluster } = simulation
    const enabled = following!.followed.filter(({ reason }) => reason === undefined).map(({ action }) => action)
    expect(new Set(enabled)).toEqual(new Set(cluster.model!.model.actions))
  })

  test('is found by chance as often as it should be: n 2^-(n+1) of the executions whose request is accepted', () => {
    const [workers, executes, executions] = [5, 4, 2000]
    // The request is the last of m + 2 processes to reach the AppMaster.
    const expected = (executions * executes * 2 ** -(executes + 1)) / (workers + 2)
    const { found } = runRandomly({ workers, executes }, executions)
    expect(Math.abs(found - expected)).toBeLessThan(3 * Math.sqrt(expected))
  })

  test('reaches all states of the model but the three in which an Execute too many is done', () => {
    const size = { workers: 2, executes: 2 }
    expect(runRandomly(size, 3000).states).toBe(reachableStates(size) - 3)
  })
})
