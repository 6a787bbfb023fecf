import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Clock } from '../../../src/world/loop/virtual-clock.ts'

const never = () => {
  throw new Error('the bound was reached')
}

test('it never goes back, whatever is asked of it', () => {
  const action = fc.oneof(
    fc.record({ do: fc.constant('advance' as const), us: fc.nat(1000) }),
    fc.record({ do: fc.constant('advanceTo' as const), us: fc.nat(10_000) }),
    fc.record({ do: fc.constant('read' as const), us: fc.constant(0) }),
  )
  fc.assert(
    fc.property(fc.array(action), (actions) => {
      const clock = new Clock(1e9, never)
      for (const { do: what, us } of actions) {
        const before = clock.nowUs
        clock[what](us)
        expect(clock.nowUs).toBeGreaterThanOrEqual(before)
        expect(Number.isInteger(clock.nowUs)).toBe(true)
      }
    }),
    { seed: 1 },
  )
})

describe('a reading moves it, so that whoever waits for the time gets there', () => {
  test('by 1 us, and by ten times more for each thousand within a step, up to 1 ms', () => {
    const clock = new Clock(1e9, never)
    const costs: number[] = []
    for (let reading = 0; reading < 5000; reading++) {
      const before = clock.nowUs
      const read = clock.read()
      expect(read).toBe(clock.nowUs)
      if (reading % 1000 === 0) costs.push(read - before)
    }
    expect(costs).toEqual([1, 10, 100, 1000, 1000])
  })

  test('and is cheap again in the next step', () => {
    const clock = new Clock(1e9, never)
    for (let reading = 0; reading < 2000; reading++) clock.read()
    clock.beginStep()
    const before = clock.nowUs
    expect(clock.read() - before).toBe(1)
  })

  test('so a busy wait of a second takes a few thousand readings', () => {
    const clock = new Clock(1e9, never)
    let readings = 0
    while (clock.read() < 1e6) readings++
    expect(readings).toBeLessThan(5000)
  })
})

test('looking at it does not move it', () => {
  const clock = new Clock(1e9, never)
  clock.advance(7)
  expect([clock.nowUs, clock.nowUs]).toEqual([7, 7])
})

test('it stops at its bound, and says so each time it would pass it', () => {
  let told = 0
  const clock = new Clock(100, () => told++)
  clock.advanceTo(100)
  expect(told).toBe(0)
  clock.advance(1)
  clock.advanceTo(1e6)
  expect([clock.nowUs, told]).toEqual([100, 2])
})
