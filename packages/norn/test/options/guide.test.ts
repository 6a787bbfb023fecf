import { expect, test } from 'vitest'
import { clusterDomain } from '../../src/domains/cluster/domain.ts'
import { latencyDomain } from '../../src/domains/latency/domain.ts'
import { EVERYTHING, GUIDES, guideWithin, isGuided, NOTHING, parseGuide } from '../../src/options/guide.ts'
import type { Domain } from '../../src/search/domain.ts'

test('each name switches on what it says, in any order and number', () => {
  for (const name of GUIDES) expect(parseGuide(name)).toEqual({ ...NOTHING, [name]: true })
  expect(parseGuide('compare, edges,edges')).toEqual({ ...NOTHING, edges: true, compare: true })
  expect(parseGuide(GUIDES.join())).toEqual(EVERYTHING)
})

test('all is everything, none is nothing, and only with nothing is the search not guided', () => {
  expect(parseGuide('all')).toEqual(EVERYTHING)
  expect(parseGuide('none')).toEqual(NOTHING)
  expect(isGuided(NOTHING)).toBe(false)
  for (const name of GUIDES) expect(isGuided(parseGuide(name))).toBe(true)
})

test.each(['', 'edge', 'ALL', 'all,none', 'edges,', 'none,edges', 'constructor'])(
  '"%s" is rejected with the known names',
  (text) => {
    expect(() => parseGuide(text)).toThrow(RangeError)
    expect(() => parseGuide(text)).toThrow(/unknown guide ".*": expected some of edges,order,compare,trace,model, or/)
  },
)

test('a domain restricts the guide to the feedback that it has', () => {
  const within = (text: string, domain: Domain) => guideWithin(parseGuide(text), domain)
  expect(within('all', latencyDomain)).toEqual({ ...EVERYTHING, trace: false, model: false })
  expect(within('all', clusterDomain)).toEqual({ ...EVERYTHING, compare: false })
  expect(isGuided(within('trace,model', latencyDomain))).toBe(false)
  expect(isGuided(within('compare', clusterDomain))).toBe(false)
})
