/** How far a comparison is from coming out equal. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ComparisonKind, Operand } from '../../../src/contract/observation.ts'
import { distance } from '../../../src/domains/latency/distance.ts'

/** What each kind asks of two texts. */
const HOLDS: Readonly<Record<ComparisonKind, (left: string, right: string) => boolean>> = {
  equal: (left, right) => left === right,
  order: (left, right) => left === right,
  prefix: (left, right) => left.startsWith(right),
  suffix: (left, right) => left.endsWith(right),
  contains: (left, right) => left.includes(right),
}

const KINDS = Object.keys(HOLDS) as ComparisonKind[]

/** Few characters, so that texts have something in common. */
const text = fc.string({ unit: fc.constantFrom('a', 'b', '\u{1F600}'), maxLength: 6 })

const SETTINGS = { seed: 1, numRuns: 500 }

test.each(KINDS)('of two texts it is 0 where %s holds, and nowhere else', (kind) => {
  fc.assert(
    fc.property(text, text, (left, right) => {
      const apart = distance(kind, left, right)!
      expect(apart).toBeGreaterThanOrEqual(0)
      expect(apart === 0).toBe(HOLDS[kind](left, right))
    }),
    SETTINGS,
  )
})

describe('a text that grows right from its beginning comes nearer at each character', () => {
  const wanted = fc.string({ minLength: 1, maxLength: 8 })
  test.each(['equal', 'order', 'prefix'] as const)('%s', (kind) => {
    fc.assert(
      fc.property(wanted, (whole) => {
        for (let right = 1; right <= whole.length; right++) {
          const [more, less] = [whole.slice(0, right), whole.slice(0, right - 1)]
          expect(distance(kind, more, whole)).toBeLessThan(distance(kind, less, whole)!)
        }
      }),
      SETTINGS,
    )
  })

  test('and what is wrong behind it says less than what is right in it', () => {
    fc.assert(
      fc.property(wanted, fc.string({ maxLength: 8 }), fc.string({ maxLength: 8 }), (whole, one, other) => {
        const end = (from: number, tail: string) =>
          whole.slice(0, from) + tail.padEnd(8, '?').slice(0, whole.length - from)
        const common = (made: string) => [...whole].findIndex((character, at) => made[at] !== character)
        const [first, second] = [end(0, one), end(Math.min(1, whole.length - 1), other)]
        const [before, after] = [first, second].map(common)
        if (before === -1 || after === -1 || before! >= after!) return
        expect(distance('equal', second, whole)).toBeLessThan(distance('equal', first, whole)!)
      }),
      SETTINGS,
    )
  })

  test('within a character it counts how far the codes are apart', () => {
    const steps = ['aXc', 'agc', 'adc', 'abc'].map((made) => distance('equal', made, 'abc')!)
    expect(steps).toEqual([...steps].sort((a, b) => b - a))
    expect(new Set(steps).size).toBe(4)
  })
})

test('a part is looked for at every place of a text, and of a very large one only whether it is there', () => {
  expect(distance('contains', 'xxneexx', 'needle')).toBeLessThan(distance('contains', 'xxnexxx', 'needle')!)
  const large = 'x'.repeat(1 << 14)
  expect(distance('contains', `${large}needle`, 'needle')).toBe(0)
  expect(distance('contains', `${large}needl`, 'needle')).toBe(6)
})

describe('of two numbers it is their difference', () => {
  const any = fc.oneof(fc.integer(), fc.bigInt({ min: -(2n ** 80n), max: 2n ** 80n }), fc.double({ noNaN: true }))

  test('0 only where they are equal, of two types too', () => {
    fc.assert(
      fc.property(any, any, fc.constantFrom(...KINDS), (left, right, kind) => {
        const apart = distance(kind, left, right)
        // biome-ignore lint/suspicious/noDoubleEquals: compares numbers with bigints
        if (apart !== undefined) expect(apart === 0).toBe(left == right)
      }),
      SETTINGS,
    )
  })

  test.each<[Operand, Operand, number]>([
    [3, 10, 7],
    [-3, 10, 13],
    [0.5, 1, 0.5],
    [0, -0, 0],
    [2n ** 80n, 2n ** 80n + 1n, 1],
    [5, 3n, 2],
    [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, 0],
    [Number.POSITIVE_INFINITY, 0, Number.POSITIVE_INFINITY],
  ])('%s and %s', (left, right, apart) => {
    expect(distance('order', left, right)).toBe(apart)
    expect(distance('order', right, left)).toBe(apart)
  })

  test('where doubles have no room between them for the difference to a bigint, it is not 0 for that', () => {
    expect(distance('order', 2 ** 53, 2n ** 53n + 1n)).toBe(1)
  })
})

test('what has no measure has no distance', () => {
  const pairs: [Operand, Operand][] = [
    ['1', 1],
    ['', 0n],
    [Number.NaN, 1],
    [Number.NaN, Number.NaN],
    [Number.NaN, 1n],
    [Number.POSITIVE_INFINITY, 1n],
    [true, false],
    [true, 1],
    [null, undefined],
    [undefined, 'a'],
  ]
  for (const [left, right] of pairs) {
    for (const kind of KINDS) expect([left, right, distance(kind, left, right)]).toEqual([left, right, undefined])
  }
})
