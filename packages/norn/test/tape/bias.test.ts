import { expect, test } from 'vitest'
import { proposeInput } from '../../src/tape/bias.ts'
import { chance } from '../../src/tape/chance.ts'

const RANGES: readonly (readonly [number, number])[] = [
  [0, 0],
  [0, 1],
  [-3, 3],
  [5, 1000],
  [-1000, -5],
  [-0x8000_0000, 0x7fff_ffff],
  [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
]

test('every proposal is an integer of the range', () => {
  const draws = chance(1)
  for (const [min, max] of RANGES) {
    for (let draw = 0; draw < 2000; draw++) {
      const value = proposeInput(draws, min, max)
      expect(Number.isSafeInteger(value) && value >= min && value <= max).toBe(true)
      const big = proposeInput(draws, BigInt(min) * 2n ** 64n, BigInt(max) * 2n ** 64n)
      expect(big >= BigInt(min) * 2n ** 64n && big <= BigInt(max) * 2n ** 64n).toBe(true)
    }
  }
})

test('wide ranges give their edges, powers of two and small numbers a share; narrow ones are uniform', () => {
  const draws = chance(2)
  const wide = Array.from({ length: 2000 }, () => proposeInput(draws, 0, 0x7fff_ffff))
  expect(wide.filter((value) => value >= 0x7fff_fffe).length).toBeGreaterThan(20)
  expect(wide.filter((value) => value <= 8).length).toBeGreaterThan(200)
  const isPower = (value: number) => value > 16 && (value & (value - 1)) === 0
  expect(wide.filter(isPower).length).toBeGreaterThan(3)
  const counts = [0, 0, 0, 0]
  for (let draw = 0; draw < 4000; draw++) counts[proposeInput(draws, 0, 3)]!++
  // Mean 1000, standard deviation 27.
  for (const count of counts) expect(Math.abs(count - 1000)).toBeLessThan(120)
})
