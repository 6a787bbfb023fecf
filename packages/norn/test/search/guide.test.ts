import { expect, test } from 'vitest'
import { EVERYTHING, GUIDES, guideFor, isGuided, NOTHING, parseGuide } from '../../src/search/guide.ts'

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
  '"%s" is refused with what there is',
  (text) => {
    expect(() => parseGuide(text)).toThrow(RangeError)
    expect(() => parseGuide(text)).toThrow(/unknown guide ".*": expected some of edges,order,compare,trace,model, or/)
  },
)

test('a program is guided by what its world shows, a cluster by what its simulation shows', () => {
  expect(guideFor(EVERYTHING, undefined)).toEqual({ ...EVERYTHING, trace: false, model: false })
  expect(guideFor(EVERYTHING, 'cluster')).toEqual({ ...EVERYTHING, compare: false })
  expect(isGuided(guideFor(parseGuide('trace,model'), undefined))).toBe(false)
  expect(isGuided(guideFor(parseGuide('compare'), 'cluster'))).toBe(false)
})
