import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { clamp, isSimplest, ofRank, rank, simplestValue } from '../../src/contract/choice.ts'

describe('the natural value of a range is the one nearest to zero', () => {
  test.each([
    [0, 10, 0],
    [-5, 5, 0],
    [3, 9, 3],
    [-9, -3, -3],
    [-9, 0, 0],
    [7, 7, 7],
    [0n, 10n, 0n],
    [2n ** 70n, 2n ** 80n, 2n ** 70n],
    [-(2n ** 80n), -(2n ** 70n), -(2n ** 70n)],
  ] as const)('%s..%s: %s', (min, max, natural) => {
    expect(simplestValue<number | bigint>(min, max)).toBe(natural)
    expect(isSimplest({ kind: 'value' as const, label: '', min, max, value: natural })).toBe(true)
    expect(rank(min, max, natural)).toBe(0n)
  })
})

test('ranks count outwards from natural, alternating', () => {
  expect([0, 1, -1, 2, -2].map((value) => rank(-10, 10, value))).toEqual([0n, 1n, 2n, 3n, 4n])
  expect([3n, 4n, 5n].map((value) => rank(3n, 9n, value))).toEqual([0n, 1n, 3n])
})

const range = fc
  .tuple(fc.maxSafeInteger(), fc.maxSafeInteger())
  .map(([a, b]) => [Math.min(a, b), Math.max(a, b)] as const)

test('a value is that of its own rank', () => {
  const inRange = range.chain(([min, max]) => fc.tuple(fc.constant(min), fc.constant(max), fc.integer({ min, max })))
  fc.assert(
    fc.property(inRange, ([min, max, value]) => {
      expect(ofRank(min, max, rank(min, max, value))).toBe(value)
      expect(ofRank(BigInt(min), BigInt(max), rank(min, max, value))).toBe(BigInt(value))
    }),
    { seed: 1 },
  )
})

test('every rank has a value in the range', () => {
  fc.assert(
    fc.property(range, fc.bigInt({ min: 0n, max: 2n ** 80n }), ([min, max], some) => {
      const value = ofRank(min, max, some)
      expect(Number.isSafeInteger(value) && value >= min && value <= max).toBe(true)
    }),
    { seed: 1 },
  )
})

test('clamping leaves what fits and brings the rest to the nearest bound', () => {
  expect([clamp(5, 0, 9), clamp(-1, 0, 9), clamp(10, 0, 9), clamp(10n, 0n, 9n)]).toEqual([5, 0, 9, 9n])
})
