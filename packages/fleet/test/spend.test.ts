import { describe, expect, test } from 'vitest'
import { nextProperty, type Prospect } from '../src/spend.ts'

const prospect = (given: Partial<Prospect>): Prospect => ({
  perSecond: 1,
  announcedMs: 0,
  isDone: false,
  ...given,
})

/** How often each property is chosen, of some slices of a second. */
function spent(prospects: readonly Prospect[], slices: number): number[] {
  const now = prospects.map((each) => ({ ...each }))
  for (let slice = 0; slice < slices; slice++) now[nextProperty(now, 1000)!]!.announcedMs += 1000
  return now.map(({ announcedMs }, index) => (announcedMs - prospects[index]!.announcedMs) / 1000)
}

describe('machine time', () => {
  test('goes where most is expected, but for a floor', () => {
    expect(spent([prospect({ perSecond: 9 }), prospect({ perSecond: 1 })], 200)).toEqual([160, 40])
    expect(spent([prospect({ perSecond: 9 }), prospect({ perSecond: 0 })], 200)).toEqual([175, 25])
  })

  test('is shared equally where nothing is known, or nothing expected', () => {
    expect(spent([prospect({ perSecond: undefined }), prospect({ perSecond: undefined })], 20)).toEqual([10, 10])
    expect(spent([prospect({ perSecond: 0 }), prospect({ perSecond: 0 })], 20)).toEqual([10, 10])
  })

  test('goes to a new property as to the best', () => {
    const [old, fresh, poor] = spent(
      [prospect({}), prospect({ perSecond: undefined }), prospect({ perSecond: 0 })],
      100,
    )
    expect(fresh).toBe(old)
    expect(poor).toBeLessThan(old!)
  })

  test('goes to no property that is done', () => {
    expect(spent([prospect({ isDone: true, perSecond: 100 }), prospect({})], 10)).toEqual([0, 10])
    expect(nextProperty([prospect({ isDone: true })], 1000)).toBeUndefined()
  })

  test('finds more behaviours than equal shares, in a simulation of properties with few and with many', () => {
    // A property has behaviours of equal rarity: an execution shows one of them.
    const sizes = [20, 50, 100, 5000, 20_000]
    const executionsPerSlice = 50
    const found = (choose: (prospects: readonly Prospect[], slice: number) => number) => {
      const executions = sizes.map(() => 0)
      for (let slice = 0; slice < 200; slice++) {
        const prospects = executions.map((count, index) => {
          // Behaviours seen once of those executions, as Good and Turing estimate what the next shows.
          const perSecond = count === 0 ? undefined : (1 - 1 / sizes[index]!) ** count
          return prospect({ perSecond, announcedMs: (count / executionsPerSlice) * 1000 })
        })
        executions[choose(prospects, slice)]! += executionsPerSlice
      }
      return executions.reduce((sum, count, index) => sum + sizes[index]! * (1 - (1 - 1 / sizes[index]!) ** count), 0)
    }
    const equal = found((_, slice) => slice % sizes.length)
    expect(found((prospects) => nextProperty(prospects, 1000)!)).toBeGreaterThan(1.5 * equal)
  })
})
