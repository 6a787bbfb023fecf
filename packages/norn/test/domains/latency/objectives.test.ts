/** Objectives: what is nearest, who holds it, and whose turn it is. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { distanceTo, Objectives } from '../../../src/domains/latency/objectives.ts'
import { chance } from '../../../src/tape/chance.ts'
import { type Compared, observationOf } from '../../search/observation.ts'

/** Of one pool. */
const MOST_HOLDERS = 12

/** An execution of a class that stays so far from the objective at a site. */
const stays = (distance: number, ofClass = 0, site = 1) =>
  observationOf({ compared: [[site, distance, 0]], happensBefore: ofClass })

/** Offers an execution, held by its name if it comes near enough. */
function offer(objectives: Objectives<string>, holder: string, ...[distance, ofClass, site]: Parameters<typeof stays>) {
  const approaches = objectives.approaches(stays(distance, ofClass, site))
  objectives.hold(holder, approaches)
  return approaches
}

/** All that are picked in many turns. */
function picked(objectives: Objectives<string>, turns = 2000): Set<string> {
  const draws = chance(7)
  return new Set(Array.from({ length: turns }, () => objectives.pick(draws)!))
}

describe('what comes near', () => {
  test('the smallest distance of an execution counts, for each comparison of its own', () => {
    const compared: Compared[] = [
      [1, 9, 0],
      [1, 4, 0],
      [1, 6, 0],
      [2, 'ab', 'ax', 'equal'],
    ]
    const seen = observationOf({ compared, targets: new Map([['depth', 3]]) })
    expect(distanceTo(1, seen)).toBe(4)
    expect(distanceTo(2, seen)).toBeLessThan(1)
    expect(distanceTo('depth', seen)).toBe(-3)
    expect(distanceTo(3, seen)).toBeUndefined()
    expect(new Objectives().approaches(seen).map(({ key }) => key)).toEqual([1, 2, 'depth'])
  })

  test('an execution that traced nothing has targets only, and comparisons without a measure count for nothing', () => {
    expect(new Objectives().approaches(observationOf({ targets: new Map([['depth', 1]]) }))).toHaveLength(1)
    expect(new Objectives().approaches(observationOf({ compared: [[1, true, 1]] }))).toEqual([])
  })

  test('the best never rises, and only what is nearer than all before is called best', () => {
    const distances = fc.array(fc.record({ distance: fc.nat(50), ofClass: fc.nat(20) }), { maxLength: 80 })
    fc.assert(
      fc.property(distances, (offers) => {
        const objectives = new Objectives<string>()
        let best = Number.POSITIVE_INFINITY
        for (const [at, { distance, ofClass }] of offers.entries()) {
          const [approach] = offer(objectives, `${at}`, distance, ofClass)
          if (best === 0) expect(approach).toBeUndefined()
          if (distance < best) expect(approach).toMatchObject({ distance, best: true })
          else expect(approach?.best ?? false).toBe(false)
          best = Math.min(best, distance)
        }
      }),
      { seed: 1, numRuns: 300 },
    )
  })
})

describe('the pool of an objective', () => {
  test('has one of each class: the one that came nearest', () => {
    const objectives = new Objectives<string>()
    offer(objectives, 'far', 50, 1)
    offer(objectives, 'other class', 60, 2)
    expect(offer(objectives, 'as far', 50, 1)).toEqual([])
    offer(objectives, 'near', 40, 1)
    expect(picked(objectives)).toEqual(new Set(['near', 'other class']))
    expect(['far', 'other class', 'near'].map((each) => objectives.isHeld(each))).toEqual([false, true, true])
  })

  test(`has ${MOST_HOLDERS} at most, the nearest`, () => {
    const objectives = new Objectives<string>()
    for (let at = 0; at < 40; at++) offer(objectives, `${40 - at}`, 40 - at, at)
    const nearest = Array.from({ length: MOST_HOLDERS }, (_, at) => `${at + 1}`)
    expect(picked(objectives, 10_000)).toEqual(new Set(nearest))
    expect(offer(objectives, 'too far', 39, 99)).toEqual([])
    expect(objectives.isHeld('40')).toBe(false)
  })

  test('of two that are as near the older one comes first', () => {
    const objectives = new Objectives<string>()
    for (const [at, name] of ['older', 'newer', 'newest'].entries()) offer(objectives, name, 5, at)
    const draws = chance(3)
    const turns = Array.from({ length: 300 }, () => objectives.pick(draws)!)
    const count = (name: string) => turns.filter((each) => each === name).length
    expect(count('older')).toBeGreaterThan(count('newer'))
    expect(count('older')).toBeGreaterThan(count('newest'))
  })

  test('no holder stands in it twice, whatever comes: it is what was told of it last', () => {
    const objectives = new Objectives<string>()
    offer(objectives, 'one', 50, 1)
    offer(objectives, 'one', 40, 2)
    offer(objectives, 'two', 45, 1)
    expect(picked(objectives)).toEqual(new Set(['one', 'two']))
  })
})

describe('an objective that is reached', () => {
  test('is not picked any more, and nothing comes near to it', () => {
    const objectives = new Objectives<string>()
    offer(objectives, 'near', 1)
    offer(objectives, 'open', 8, 0, 2)
    offer(objectives, 'there', 0, 5)
    expect(offer(objectives, 'there again', 0, 6)).toEqual([])
    expect(picked(objectives)).toEqual(new Set(['open']))
    expect(objectives.isHeld('there')).toBe(false)
  })

  test('a target never is', () => {
    const objectives = new Objectives<string>()
    const grown = (value: number) => observationOf({ targets: new Map([['depth', value]]) })
    objectives.hold('0', objectives.approaches(grown(0)))
    expect(objectives.approaches(grown(-1))).toEqual([])
    objectives.hold('5', objectives.approaches(grown(5)))
    expect(objectives.pick(chance(1))).toBe('5')
  })

  test('without an open one nobody is picked, and there is no heat', () => {
    const objectives = new Objectives<string>()
    expect(objectives.pick(chance(1))).toBeUndefined()
    expect(objectives.heat).toBe(0)
    offer(objectives, 'there', 0)
    expect(objectives.pick(chance(1))).toBeUndefined()
    expect(objectives.heat).toBe(0)
  })
})

describe('whose turn it is', () => {
  test('there is heat where there was progress; it falls with each turn in vain, and comes back with progress', () => {
    const objectives = new Objectives<string>()
    offer(objectives, 'far', 100)
    const cold = objectives.heat
    expect(cold).toBeLessThan(1)
    offer(objectives, 'nearer', 50)
    expect(objectives.heat).toBe(1)
    const heats = Array.from({ length: 1000 }, () => {
      objectives.pick(chance(1))
      return objectives.heat
    })
    expect(heats).toEqual([...heats].sort((a, b) => b - a))
    expect(heats.at(-1)).toBeLessThan(heats[0]!)
    offer(objectives, 'nearest', 10)
    expect(objectives.heat).toBe(1)
  })

  test('heat falls as fast for processes that share as for one with as many turns as all of them', () => {
    const [one, eight] = [new Objectives<string>(), new Objectives<string>()]
    for (const each of [one, eight]) offer(each, 'near', 10)
    for (let turn = 0; turn < 100; turn++) {
      eight.pick(chance(1), 8)
      for (let other = 0; other < 8; other++) one.pick(chance(1))
    }
    expect(eight.heat).toBe(one.heat)
  })

  test('another class that comes no nearer is no progress', () => {
    const objectives = new Objectives<string>()
    offer(objectives, 'near', 10)
    const { heat } = objectives
    offer(objectives, 'other', 20, 1)
    expect(objectives.heat).toBe(heat)
  })

  test('one where there is progress gets more turns than one where there is none, which is not given up', () => {
    const objectives = new Objectives<string>()
    offer(objectives, 'stuck', 10, 0, 1)
    for (let at = 0; at < 5000; at++) objectives.pick(chance(at))
    offer(objectives, 'moving', 10, 0, 2)
    offer(objectives, 'moving', 9, 0, 2)
    const draws = chance(2)
    const turns = Array.from({ length: 500 }, () => objectives.pick(draws)!)
    const stuck = turns.filter((each) => each === 'stuck').length
    expect(stuck).toBeGreaterThan(0)
    expect(stuck).toBeLessThan(250)
  })
})

test('comparisons without end are forgotten, not kept: the first remain', () => {
  const objectives = new Objectives<string>()
  const sites = Array.from({ length: 5000 }, (_, site): Compared => [site, 1, 0])
  objectives.hold('all', objectives.approaches(observationOf({ compared: sites })))
  expect(objectives.size).toBe(1024)
  expect(offer(objectives, 'late', 1, 0, 4999)).toEqual([])
  expect(offer(objectives, 'near', 0.5, 0, 0)).toHaveLength(1)
})

test('up to that bound, what is known already leaves room for what is new', () => {
  const objectives = new Objectives<string>()
  const from = (first: number, count: number, distance: number) =>
    observationOf({ compared: Array.from({ length: count }, (_, at): Compared => [first + at, distance, 0]) })
  objectives.hold('a', objectives.approaches(from(0, 600, 9)))
  objectives.hold('b', objectives.approaches(from(0, 1000, 5)))
  expect(objectives.size).toBe(1000)
})
