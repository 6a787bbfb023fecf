import { expect, test } from 'vitest'
import { optionsOf, plannedSteps, search } from '../../packages/norn/test/domains/cluster/search/run.ts'
import { microbenchmark } from '../microbenchmark/actors.ts'
import { type ModelFuzzOptions, ModelFuzzPlanner } from '../microbenchmark/modelfuzz-planner.ts'

const cluster = microbenchmark({ workers: 3, executes: 20 })

function run(executions: number, guide = 'model', settings: ModelFuzzOptions = {}) {
  const planner = new ModelFuzzPlanner(optionsOf(guide), settings)
  return { planner, executions: search(cluster, planner, executions) }
}

test('is a function of its seed', () => {
  const plans = () => JSON.stringify(run(300).executions.map(({ plan }) => plan))
  expect(plans()).toBe(plans())
})

test('begins with twenty random schedules, after the natural one', () => {
  const { executions } = run(22)
  expect(executions.map(({ isUnguided }) => isUnguided)).toEqual([...new Array<boolean>(21).fill(true), false])
})

test('makes five mutants for each new state, first in, first out', () => {
  const { executions } = run(200)
  const expected = executions.flatMap(({ newStates }, at) => new Array<number>(newStates * 5).fill(at))
  const mutants = executions.slice(21)
  expect(mutants.length).toBeLessThan(expected.length)
  for (const [nth, { plan }] of mutants.entries()) {
    const parent = executions[expected[nth]!]!.steps
    const mutated = plannedSteps(plan)
    expect(mutated).toHaveLength(parent.length)
    // One swap changes two steps, or none where there was nothing to swap.
    expect([0, 2]).toContain(mutated.filter((step, at) => step !== parent[at]).length)
  }
})

test('makes another random set when the queue is empty', () => {
  // All is reached soon, and then nothing is new any more.
  const { executions } = run(400, 'model', { seeds: 10, mutants: 1 })
  const kinds = executions.map(({ isUnguided }) => isUnguided)
  const second = kinds.indexOf(true, 40)
  expect(second).toBeGreaterThan(40)
  expect(kinds.slice(second, second + 10)).toEqual(new Array<boolean>(10).fill(true))
})

test('by traces an execution of a new class counts as one state', () => {
  const { planner, executions } = run(300, 'trace', { seeds: 5, mutants: 2 })
  const mutants = executions.filter(({ isUnguided }) => !isUnguided)
  expect(mutants.length).toBeLessThanOrEqual(2 * planner.state.traces!)
  expect(mutants.length).toBeGreaterThan(100)
})

test('swaps as many of each kind as are asked for', () => {
  const { executions } = run(22, 'model', { swaps: 20 })
  const [parent, mutant] = [executions[0]!.steps, plannedSteps(executions[21]!.plan)]
  // The natural execution comes first, and so do its mutants; it names no channel, so there is
  // nothing to swap.
  expect(mutant).toEqual(parent)
  const later = run(80, 'model', { swaps: 20, mutants: 1 })
  const parents = later.executions.slice(0, 21).map(({ steps }) => steps)
  const differences = later.executions.slice(21).map(({ plan }) => {
    const steps = plannedSteps(plan)
    const alike = parents.filter((each) => each.length === steps.length)
    return Math.min(...alike.map((each) => each.filter((step, at) => step !== steps[at]).length))
  })
  expect(Math.max(...differences.filter(Number.isFinite))).toBeGreaterThan(4)
})
