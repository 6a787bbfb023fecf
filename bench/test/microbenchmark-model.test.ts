import { describe, expect, test } from 'vitest'
import { reachable } from '../../packages/norn/src/model/reachable.ts'
import { microbenchmarkActions, microbenchmarkModel, reachableStates } from '../microbenchmark/model.ts'

describe('the model of the microbenchmark', () => {
  test.each([
    [5, 10, 765],
    [6, 10, 2223],
    [6, 40, 2313],
    [7, 40, 6687],
  ])(
    'with %i workers and %i executes has the %i reachable states of the published one',
    (workers, executes, states) => {
      const size = { workers, executes }
      const actions = microbenchmarkActions(size)
      expect(reachable(microbenchmarkModel(size), () => actions).states).toHaveLength(states)
      expect(reachableStates(size)).toBe(states)
    },
  )
})
