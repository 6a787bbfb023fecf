/** What chance proposes for a step: something that is possible, and by and by all that is. */
import { expect, test } from 'vitest'
import { actors } from '../../src/cluster/actors.ts'
import type { ClusterOptions } from '../../src/cluster/definition.ts'
import { drop } from '../../src/cluster/faults/drop.ts'
import { FAULTS } from '../../src/cluster/faults/table.ts'
import { Simulation } from '../../src/cluster/simulation.ts'
import { StepClasses } from '../../src/cluster/step-classes.ts'
import { suggestStep } from '../../src/cluster/suggestion.ts'
import { NO_WEIGHTS } from '../../src/contract/plan.ts'
import { chance } from '../../src/tape/chance.ts'

const faults = { crashes: 2, drops: 2, duplicates: 2, partitions: 1 }

/** Every node sends to the next one and sets a timer, again and again. */
function ring(order: 'fifo' | 'any'): ClusterOptions {
  const names = ['a', 'b', 'c']
  const system = () =>
    actors(
      Object.fromEntries(
        names.map((name, at) => [
          name,
          ({ send, setTimer }) => {
            const act = () => {
              send(names[(at + 1) % names.length]!, 'hello')
              setTimer('again', 10)
            }
            return { onStart: act, onTimer: act, onRequest: act }
          },
        ]),
      ),
    )
  return { system, faults, network: { order } }
}

test.each(['fifo', 'any'] as const)('is possible, whatever happened before, with channels of order %s', (order) => {
  const seen = new Set<string>()
  for (let seed = 1; seed <= 50; seed++) {
    const draws = chance(seed, 0)
    const simulation = new Simulation({ cluster: ring(order), requests: [1, 2, 3], random: () => 0 })
    simulation.start()
    for (let step = 0; step < 60; step++) {
      const code = suggestStep(simulation, draws)
      expect(simulation.perform(simulation.codes.steps[code]!), simulation.codes.describe(code)).toBe(true)
      const step = simulation.codes.steps[code]!
      seen.add(step.kind === 'fault' ? step.act.name : step.kind)
    }
    expect(simulation.injected[FAULTS.indexOf(drop)]).toBeLessThanOrEqual(faults.drops)
  }
  const all = ['crash', 'deliver', 'drop', 'duplicate', 'heal', 'partition', 'request', 'restart', 'timeout']
  expect([...seen].sort()).toEqual(all)
})

test('is nothing on a channel that is on hold, while anything else is possible', () => {
  const simulation = new Simulation({ cluster: ring('fifo'), requests: [], random: () => 0 })
  simulation.start()
  const classes = new StepClasses(simulation, { ...NO_WEIGHTS, hold: { from: 0, to: 1, first: 0, last: 30 } })
  const draws = chance(1, 0)
  for (let step = 0; step < 60; step++) {
    simulation.step = step
    const drawn = simulation.codes.steps[suggestStep(simulation, draws, classes)]!
    if (step < 30) expect(drawn).not.toMatchObject({ from: 0, to: 1 })
    expect(simulation.perform(drawn)).toBe(true)
    classes.performed(drawn)
  }
  expect(simulation.log.some(({ kind, node }) => kind === 'deliver' && node === 'b')).toBe(true)
})

test('is what is due first where nothing else could be', () => {
  const simulation = new Simulation({
    cluster: { system: () => actors({ a: () => ({}) }) },
    requests: [],
    random: () => 0,
  })
  simulation.start()
  expect(suggestStep(simulation, chance(1, 0))).toBe(0)
})
