import { expect, test } from 'vitest'
import { guidedText } from '../../src/report/guided.ts'

const GUIDED = { branches: 0, order: 0, classes: 0, corpus: 3, objectives: 0, unstable: 0, lastDiscovery: 190 }

test('a curve that rises with every execution cannot tell how much is left', () => {
  expect(guidedText({ ...GUIDED, traces: 195 }, 200)).toBe(
    '195 happens-before classes discovered, nearly one an execution, so the curve cannot tell how much is left; corpus: 3 executions',
  )
  expect(guidedText({ ...GUIDED, traces: 95 }, 200)).toBe(
    '95 happens-before classes discovered, the last in execution 190; corpus: 3 executions',
  )
})
