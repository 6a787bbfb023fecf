import { expect, it } from 'vitest'
import type { ClusterObservation, Observation } from '../../../../src/contract/observation.ts'
import { ClusterFeatures } from '../../../../src/domains/cluster/search/cluster-features.ts'
import { parseGuide } from '../../../../src/options/guide.ts'

/** An execution that hit branches of the file of the cluster, and lines of its program. */
function observed(branches: readonly number[], lines: readonly number[]): [Observation, ClusterObservation] {
  const cluster = { states: [], stateSteps: [], trace: 1, counters: Uint32Array.from(lines) }
  const observation = { counters: [Uint32Array.from(branches)], order: [], notes: new Map() }
  return [observation as unknown as Observation, cluster as unknown as ClusterObservation]
}

it('counts the lines of a program as branches, each with its hits', () => {
  const features = new ClusterFeatures(parseGuide('edges'))
  expect(features.observe(...observed([1, 0], [1, 0, 3])).fresh).toHaveLength(3)
  expect(features.observe(...observed([1, 0], [1, 0, 3])).fresh).toHaveLength(0)
  expect(features.observe(...observed([1, 0], [2, 0, 3])).fresh).toHaveLength(1)
  expect(features.counts.branches).toBe(4)
})

it('does not guide by orders where a model would, had it followed', () => {
  const features = new ClusterFeatures(parseGuide('order,model'))
  const [observation, cluster] = observed([], [])
  const orders = () => ({ pairs: [1, 2], steps: [0, 1] })
  expect(features.observe(observation, { ...cluster, orders, isUnfollowed: true }).fresh).toEqual([])
  expect(features.observe(observation, { ...cluster, orders }).fresh).toHaveLength(2)
})

it('does not guide by lines unless branches guide', () => {
  const features = new ClusterFeatures(parseGuide('model'))
  expect(features.observe(...observed([1], [1])).fresh).toEqual([])
})
