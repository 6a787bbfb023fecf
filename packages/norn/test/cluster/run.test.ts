/**
 * The course of an execution: scheduled steps, then calm until what has to come true does, then the
 * last check.
 */

import { describe, expect, test } from 'vitest'
import { type ActorContext, actors } from '../../src/cluster/actors.ts'
import type { ClusterOptions } from '../../src/cluster/definition.ts'
import { crash } from '../../src/cluster/faults/crash.ts'
import { partition } from '../../src/cluster/faults/partition.ts'
import { LivenessError, runSchedule } from '../../src/cluster/run.ts'
import { Simulation } from '../../src/cluster/simulation.ts'

/** Runs a schedule given by its numbers, or by what they do; natural after the last one. */
function run(cluster: ClusterOptions, steps: readonly number[] = [], requests: readonly unknown[] = []) {
  const simulation = new Simulation({ cluster, requests, random: () => 0 })
  simulation.start()
  const asked: number[] = []
  const performed: boolean[] = []
  let thrown: Error | undefined
  try {
    const source = (ordinal: number) => {
      asked.push(ordinal)
      return steps[ordinal] ?? 0
    }
    runSchedule(simulation, { next: source }, performed)
  } catch (error) {
    thrown = error as Error
  }
  return { simulation, asked, performed, thrown }
}

/** Sends itself a message so many milliseconds apart, for ever. */
const ticking = (ms: number) => (context: ActorContext) => {
  const state = { ticks: 0 }
  return {
    state,
    onStart: () => context.setTimer('tick', ms),
    onTimer() {
      state.ticks++
      context.setTimer('tick', ms)
    },
  }
}

const ring = () => actors({ a: pass('b', true), b: pass('c'), c: pass('a') })
const pass =
  (to: string, first = false) =>
  ({ send }: ActorContext) => {
    const state = { seen: 0 }
    return {
      state,
      onStart: () => (first ? send(to, 'token') : undefined),
      onMessage() {
        if (state.seen++ === 0) send(to, 'token')
      },
    }
  }

describe('scheduled steps', () => {
  test('are asked for one by one, and end early where nothing can happen any more', () => {
    expect(run({ system: ring, steps: 50 }).asked).toEqual([0, 1, 2, 3])
    expect(run({ system: ring, steps: 2 }).asked).toEqual([0, 1])
    expect(run({ system: () => actors({ a: ticking(1) }) }).asked.length).toBe(100)
  })

  test('go on while a node may still begin again', () => {
    const cluster: ClusterOptions = { system: ring, steps: 20, faults: { crashes: 1 } }
    const { codes } = new Simulation({ cluster, requests: [], random: () => 0 })
    expect(run(cluster).asked.length).toBe(20)
    const crashing = [0, 0, 0, 0, 0, codes.of(crash)!.first + 1, codes.of(crash)!.recovery!.first + 1]
    expect(run(cluster, crashing).asked.length).toBe(7)
  })

  test('that are not possible are passed over, and noted so; also where an execution fails', () => {
    const cluster: ClusterOptions = {
      system: ring,
      steps: 10,
      invariant: ({ log }) => {
        if (log.some(({ kind, node }) => kind === 'deliver' && node === 'c')) throw new Error('it got there')
      },
    }
    const { codes } = new Simulation({ cluster, requests: [], random: () => 0 })
    const { performed, thrown } = run(cluster, [codes.deliver(1, 2, 1), 0, codes.timeout(0), 0])
    expect([performed, thrown?.message]).toEqual([[false, true, false, true], 'it got there'])
  })
})

describe('the calm world', () => {
  const seen = (count: number): ClusterOptions['eventually'] => ({
    what: 'all have seen it',
    holds: ({ nodes }) => nodes.every(({ state }) => ((state as { seen: number } | undefined)?.seen ?? -1) >= count),
  })

  test('heals, restarts and goes on in the order of time until the condition holds', () => {
    const cluster: ClusterOptions = {
      system: ring,
      steps: 3,
      faults: { crashes: 1, partitions: 1 },
      eventually: seen(1),
    }
    const { codes } = new Simulation({ cluster, requests: [], random: () => 0 })
    const { simulation, thrown } = run(cluster, [codes.of(crash)!.first + 2, codes.of(partition)!.first, 0])
    expect(thrown).toBe(undefined)
    const kinds = simulation.log.filter(({ step }) => step === 3).map(({ kind }) => kind)
    expect(kinds.slice(0, 3)).toEqual(['calm', 'heal', 'restart'])
    expect(simulation.view.nodes.every(({ state }) => (state as { seen: number }).seen > 0)).toBe(true)
  })

  test('says at once that the condition never holds where nothing is left to happen', () => {
    const { thrown } = run({ system: ring, eventually: seen(5) })
    expect(thrown).toBeInstanceOf(LivenessError)
    expect(thrown?.message).toBe('all have seen it: still false after 0 ms without faults, when no event is left')
  })

  test('waits as long as it was told to, in virtual time', () => {
    const ticks = (count: number, withinMs: number) =>
      run({
        system: () => actors({ a: ticking(10) }),
        steps: 1,
        eventually: {
          what: 'it ticked',
          holds: ({ nodes }) => (nodes[0]!.state as { ticks: number }).ticks >= count,
          withinMs,
        },
      })
    expect(ticks(6, 50).thrown).toBe(undefined)
    expect(ticks(60, 50).thrown?.message).toBe('it ticked: still false after 50 ms without faults')
  })

  test('is not waited for without end where no time passes', () => {
    const { thrown } = run({
      system: () => actors({ a: ticking(0) }),
      steps: 1,
      eventually: { what: 'it rests', holds: () => false },
    })
    expect(thrown?.message).toBe('it rests: still false after 100000 events (0 ms) without faults')
  })

  test('leaves down what stays down', () => {
    const cluster: ClusterOptions = {
      system: ring,
      steps: 1,
      faults: { crashes: 1 },
      permanentCrashes: true,
      eventually: seen(1),
    }
    const { codes } = new Simulation({ cluster, requests: [], random: () => 0 })
    const { thrown, simulation } = run(cluster, [codes.of(crash)!.first + 1])
    expect(thrown).toBeInstanceOf(LivenessError)
    expect(simulation.view.node('b').up).toBe(false)
  })

  test('a condition or a last check that waits is refused', () => {
    const waiting = (async () => true) as unknown as () => boolean
    const { thrown } = run({ system: ring, eventually: { what: 'x', holds: waiting } })
    expect(thrown?.message).toBe('`eventually.holds` returned a promise: it must be synchronous')
    expect(run({ system: ring, check: waiting as () => void }).thrown?.message).toMatch(/^`check` returned a promise/)
  })
})

test('the last check sees the end, whatever is still under way', () => {
  let under: number | undefined
  run({
    system: ring,
    steps: 1,
    check: ({ messages }) => {
      under = messages.length
    },
  })
  expect(under).toBe(1)
})
