import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { chance, mix } from '../../src/tape/chance.ts'

/**
 * What a seed means must not change between versions: names of executions stand in chats and in
 * logs.
 */
test('golden values', () => {
  const draw = (...words: number[]) => {
    const draws = chance(...words)
    return [draws.bits(), draws.bits(), draws.integer(1, 6), draws.integer(-(2 ** 40), 2 ** 40), draws.unit()]
  }
  const big = chance(1).bigint(-(2n ** 100n), 2n ** 100n)
  expect({ none: draw(), one: draw(1), two: draw(1, 2), wide: draw(2 ** 40 + 5), big }).toMatchInlineSnapshot(`
    {
      "big": 597547642000416068102379020506n,
      "none": [
        3262571586,
        2602127793,
        6,
        -480730637962,
        0.9142284467816353,
      ],
      "one": [
        3028040985,
        2728343885,
        3,
        331251507754,
        0.13879873068071902,
      ],
      "two": [
        1095152893,
        2817744004,
        6,
        -661596649899,
        0.9385926479008049,
      ],
      "wide": [
        758647079,
        3674900843,
        1,
        643487011003,
        0.606255431426689,
      ],
    }
  `)
  expect([0, 1, 2, 0xffff_ffff].map(mix)).toMatchInlineSnapshot(`
    [
      0,
      1364076727,
      821347078,
      2180083513,
    ]
  `)
})

describe('the sequence is a function of the seed words', () => {
  const head = (...words: number[]) => {
    const draws = chance(...words)
    return Array.from({ length: 8 }, () => draws.bits()).join()
  }

  test('the same words give the same sequence', () => {
    expect(head(3, 4)).toBe(head(3, 4))
  })

  test('other words, another order, and the high half of a word give another', () => {
    const seeds = [[], [0], [1], [2], [0, 1], [1, 0], [2 ** 32], [2 ** 32 + 1], [2 ** 40], [0, 0]]
    expect(new Set(seeds.map((words) => head(...words))).size).toBe(seeds.length)
  })

  test('neighbouring seeds differ in about half of their bits', () => {
    let different = 0
    for (let seed = 0; seed < 1000; seed++) {
      let difference = chance(seed).bits() ^ chance(seed + 1).bits()
      for (; difference !== 0; difference &= difference - 1) different++
    }
    // 32,000 bits: mean 16,000, standard deviation 89.
    expect(Math.abs(different - 16_000)).toBeLessThan(450)
  })
})

describe('draws are within their range and roughly uniform', () => {
  test.each([
    [0, 0],
    [0, 1],
    [-3, 3],
    [1, 6],
    [-0x8000_0000, 0x7fff_ffff],
    [0, 0xffff_ffff],
    [0, 2 ** 32],
    [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
  ])('integers of %s..%s', (min, max) => {
    const draws = chance(5)
    const buckets = Math.min(7, max - min + 1)
    const counts = Array.from({ length: buckets }, () => 0)
    for (let draw = 0; draw < 7000; draw++) {
      const value = draws.integer(min, max)
      expect(Number.isSafeInteger(value) && value >= min && value <= max).toBe(true)
      counts[Math.min(buckets - 1, Math.floor(((value - min) / (max - min + 1)) * buckets))]!++
    }
    const mean = 7000 / buckets
    // Five standard deviations, or less.
    for (const count of counts) expect(Math.abs(count - mean)).toBeLessThanOrEqual(5 * Math.sqrt(mean))
  })

  test('bigints of any range', () => {
    const bounds = fc.tuple(fc.bigInt(-(2n ** 200n), 2n ** 200n), fc.bigInt(0n, 2n ** 200n), fc.nat())
    fc.assert(
      fc.property(bounds, ([min, width, seed]) => {
        const value = chance(seed).bigint(min, min + width)
        expect(value >= min && value <= min + width).toBe(true)
      }),
      { seed: 1 },
    )
    const draws = chance(6)
    let high = 0
    for (let draw = 0; draw < 2000; draw++) if (draws.bigint(0n, 3n * 2n ** 90n) > 2n ** 91n) high++
    // A third: mean 667, standard deviation 21.
    expect(Math.abs(high - 667)).toBeLessThan(105)
  })

  test('fine units begin as units do, and have all digits', () => {
    const [fine, coarse] = [chance(7), chance(7)]
    let long = 0
    for (let draw = 0; draw < 1000; draw++) {
      const [unit, rough] = [fine.fineUnit(), coarse.unit()]
      expect(unit >= rough && unit < rough + 2 ** -32).toBe(true)
      if (unit.toString(16).length > 2 + 12) long++
    }
    // Sixteen of seventeen have 13 digits or more: the last 4 of 53 bits are not all 0.
    expect(long).toBeGreaterThan(800)
  })

  test('coins and units', () => {
    const draws = chance(7)
    let heads = 0
    for (let draw = 0; draw < 10_000; draw++) {
      if (draws.coin(0.1)) heads++
      const unit = draws.unit()
      expect(unit >= 0 && unit < 1).toBe(true)
    }
    // Mean 1000, standard deviation 30.
    expect(Math.abs(heads - 1000)).toBeLessThan(150)
    expect([draws.coin(0), draws.coin(1)]).toEqual([false, true])
  })
})
