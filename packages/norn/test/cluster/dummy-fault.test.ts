/** A kind of fault is one file and one entry of the table: everything else is made of these. */
import { expect, test, vi } from 'vitest'
import { actors } from '../../src/cluster/actors.ts'
import { checkOptions } from '../../src/cluster/check-options.ts'
import { ClusterExecution } from '../../src/cluster/cluster.ts'
import type { ClusterOptions } from '../../src/cluster/definition.ts'
import { type Fault, stepOf } from '../../src/cluster/faults/fault.ts'
import { happenedIn } from '../../src/cluster/happened.ts'
import { Simulation } from '../../src/cluster/simulation.ts'
import { StepClasses } from '../../src/cluster/step-classes.ts'
import { suggestStep } from '../../src/cluster/suggestion.ts'
import { NO_WEIGHTS } from '../../src/contract/plan.ts'
import { STEP_MUTATORS } from '../../src/domains/cluster/search/step-mutators.ts'
import { chance } from '../../src/tape/chance.ts'

const overtaking = vi.hoisted(() => ({
  name: 'overtake',
  option: 'overtakings',
  place: 'channel',
  weight: 0.25,
  complexity: 5,
  logged: 'duplicate',
  never: 'no message was ever overtaken',
  isPossible: ({ network }, { from, to }) => network.channel(from, to).length > 1,
  perform(host, { from, to }) {
    const oldest = host.network.take(from, to)!
    host.resend(oldest)
    host.record('duplicate', to, host.nodes[from]!, 'overtake', oldest.id, oldest.data)
    host.settle()
  },
})) as Fault

vi.mock('../../src/cluster/faults/table.ts', async (original) => {
  const { FAULTS } = await original<{ FAULTS: readonly Fault[] }>()
  return { FAULTS: [...FAULTS, overtaking] }
})

const cluster = {
  system: () =>
    actors({
      a: ({ send }) => ({ onStart: () => [1, 2, 3].forEach((message) => void send('b', message)) }),
      b: () => ({ onMessage: () => undefined }),
    }),
  faults: { drops: 1, overtakings: 2 },
} as unknown as ClusterOptions

function started(): Simulation {
  const simulation = new Simulation({ cluster, requests: [], random: () => 0 })
  simulation.start()
  return simulation
}

test('its quota is an option, and any other is refused with it among the names', () => {
  expect(() => checkOptions('one', cluster)).not.toThrow()
  expect(() => checkOptions('one', { ...cluster, faults: { lulls: 1 } } as never)).toThrow(/overtakings/)
})

test('it has steps, after all others, that simulations perform as often as the quota allows', () => {
  const simulation = started()
  const { codes } = simulation
  const numbers = codes.of(overtaking)!
  expect(numbers.first + numbers.count - 1).toBe(codes.max)
  expect(codes.describe(numbers.onChannel(0, 1))).toBe('overtake a → b')
  const step = codes.steps[numbers.onChannel(0, 1)]!
  expect([1, 2, 3].map(() => simulation.perform(step))).toEqual([true, true, false])
  expect(simulation.network.channel(0, 1).map(({ data }) => data)).toEqual([3, 1, 2])
  expect(simulation.inject(stepOf(overtaking, { from: 1, to: 0 }))).toBe(false)
})

test('random steps and mutators have it, and its steps a class of their own', () => {
  const simulation = started()
  const { codes } = simulation
  const draws = chance(1, 0)
  const suggested = Array.from({ length: 300 }, () => codes.describe(suggestStep(simulation, draws)))
  expect(suggested).toContain('overtake a → b')
  const mutator = STEP_MUTATORS.find(({ name }) => name === 'overtake')!
  const steps = [codes.deliver(0, 1, 1)]
  mutator.mutate(steps, { chance: draws, codes, other: [], index: () => 0 })
  expect(steps.map((code) => codes.describe(code))).toEqual(['overtake a → b', 'deliver a → b'])
  const classes = new StepClasses(simulation, NO_WEIGHTS)
  expect(new Set(steps.map((code) => classes.of(codes.steps[code]!))).size).toBe(2)
})

test('the record and the counts for the report have it', () => {
  const simulation = started()
  simulation.inject(stepOf(overtaking, { from: 0, to: 1 }))
  const execution = new ClusterExecution(simulation, { schedule: () => 0 })
  const fault = { label: '-1', operation: 'overtake', resource: 'a → b', fault: 'overtake' }
  expect(execution.faults()).toEqual([fault])
  expect(happenedIn(simulation).faults).toEqual({ drops: 0, overtakings: 1 })
})
