import { expect, it } from 'vitest'
import { DiscoveryCurve } from '../../src/report/discovery-curve.ts'

it('has a bounded number of points, in order, from nothing to the end', () => {
  const curve = new DiscoveryCurve()
  for (let at = 1; at <= 10_000; at++) curve.add(at, Math.floor(Math.sqrt(at)))
  curve.add(10_000, 0)
  const points = curve.ending(10_001, 100)
  expect(points.length).toBeLessThan(130)
  expect([points[0], points.at(-1)]).toEqual([
    [0, 0],
    [10_001, 100],
  ])
  const executions = points.map(([at]) => at)
  expect(executions).toEqual([...new Set(executions)].sort((a, b) => a - b))
})
