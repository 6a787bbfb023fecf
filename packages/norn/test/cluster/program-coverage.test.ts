import { expect, it } from 'vitest'
import { ProgramCoverage } from '../../src/cluster/stdio/program-coverage.ts'

it('sums the hits of an execution', () => {
  const coverage = new ProgramCoverage(4)
  coverage.add([0, 1, 3, 2])
  coverage.add(undefined)
  coverage.add([3, 5])
  expect([...coverage.counters]).toEqual([1, 0, 0, 7])
  coverage.reset()
  expect([...coverage.counters]).toEqual([0, 0, 0, 0])
})

it('does not overflow', () => {
  const coverage = new ProgramCoverage(1)
  coverage.add([0, 2 ** 32 - 1, 0, 2 ** 32 - 1])
  expect([...coverage.counters]).toEqual([2 ** 32 - 1])
})

it.each([
  [{}, 'coverage: expected a list of counters, each followed by its hits'],
  [[1], 'coverage: expected a list of counters, each followed by its hits'],
  [[4, 1], 'coverage[0]: expected a counter, 0 to 3, got 4'],
  [[0, 1, 'x', 1], 'coverage[2]: expected a counter, 0 to 3, got "x"'],
  [[0, 0], 'coverage[1]: expected hits, 1 to 4294967295, got 0'],
  [[0, 1.5], 'coverage[1]: expected hits, 1 to 4294967295, got 1.5'],
])('%j is refused', (coverage, message) => {
  expect(() => new ProgramCoverage(4).add(coverage)).toThrow(message)
})
