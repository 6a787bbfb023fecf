import { expect, test } from 'vitest'
import { type ActorContext, actors } from '../../src/cluster/actors.ts'
import type { ClusterOptions } from '../../src/cluster/definition.ts'
import { crash } from '../../src/cluster/faults/crash.ts'
import { drop } from '../../src/cluster/faults/drop.ts'
import { stepOf } from '../../src/cluster/faults/fault.ts'
import { Simulation } from '../../src/cluster/simulation.ts'
import { chance } from '../../src/tape/chance.ts'

/**
 * Two pairs: what happens in one says nothing to the other, and two of its messages do not commute.
 */
const cluster: ClusterOptions = {
  system: () => actors({ a: sender('b'), b: () => ({}), c: sender('d'), d: () => ({}) }),
  network: { order: 'any' },
  faults: { drops: 1, crashes: 1 },
}

const sender = (to: string) => (context: ActorContext) => ({
  onStart() {
    context.send(to, 1)
    context.send(to, 2)
  },
})

/** The class of an execution of steps [from, to, which]. */
function classOf(...steps: readonly (readonly [from: number, to: number, which: number])[]): number {
  const simulation = new Simulation({ cluster, requests: [], random: () => 0 })
  simulation.start()
  for (const [from, to, which] of steps) expect(simulation.deliver(from, to, which)).toBe(true)
  return simulation.trace
}

test('executions that differ in the order of events which do not depend on each other are of one class', () => {
  const together = classOf([0, 1, 1], [0, 1, 1], [2, 3, 1], [2, 3, 1])
  expect(classOf([2, 3, 1], [0, 1, 1], [2, 3, 1], [0, 1, 1])).toBe(together)
  expect(classOf([2, 3, 1], [2, 3, 1], [0, 1, 1], [0, 1, 1])).toBe(together)
})

test('another order at one node is another class, and so is less, or something lost', () => {
  const classes = new Set([
    classOf([0, 1, 1], [0, 1, 1]),
    classOf([0, 1, 2], [0, 1, 1]),
    classOf([0, 1, 1]),
    classOf([0, 1, 2]),
    classOf(),
  ])
  const lossy = new Simulation({ cluster, requests: [], random: () => 0 })
  lossy.start()
  lossy.inject(stepOf(drop, { from: 0, to: 1 }))
  classes.add(lossy.trace)
  lossy.inject(stepOf(crash, { node: 1 }))
  classes.add(lossy.trace)
  expect(classes.size).toBe(7)
})

test('which of its timers ran out is another class, when it was due is none', () => {
  const after = (timer: string, delayMs: number) => {
    const system = () => actors({ a: ({ setTimer }) => ({ onStart: () => setTimer(timer, delayMs) }) })
    const simulation = new Simulation({ cluster: { system }, requests: [], random: () => 0 })
    simulation.start()
    simulation.timeout(0)
    return simulation.trace
  }
  expect(after('lease', 5)).not.toBe(after('retry', 5))
  expect(after('lease', 7)).toBe(after('lease', 5))
})

test('a class is a whole number that keeps its bits', () => {
  const draws = chance(1, 1)
  const classes = new Set<number>()
  for (let at = 0; at < 2000; at++) {
    const simulation = new Simulation({ cluster, requests: [], random: () => 0 })
    simulation.start()
    const { codes } = simulation
    for (let step = 0; step < 6; step++) simulation.perform(codes.steps[draws.integer(0, codes.max)]!)
    expect(Number.isSafeInteger(simulation.trace) && simulation.trace >= 0).toBe(true)
    classes.add(simulation.trace)
  }
  // Of few events many orders are one class.
  expect(classes.size).toBeGreaterThan(20)
  expect(classes.size).toBeLessThan(1500)
})
