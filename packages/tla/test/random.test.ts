import { expect, test } from 'vitest'
import { randomFrom } from '#shared/random'

test('the numbers of a seed never change: simulations and saved models depend on them', () => {
  const random = randomFrom(1, 2 ** 40 + 3)
  const drawn = Array.from({ length: 6 }, () => random.integer(0, 999))
  const coins = Array.from({ length: 8 }, () => random.coin(0.5))
  expect([drawn, coins]).toMatchInlineSnapshot(`
    [
      [
        998,
        877,
        43,
        920,
        441,
        513,
      ],
      [
        true,
        false,
        true,
        false,
        true,
        false,
        true,
        true,
      ],
    ]
  `)
})

test('integers cover their range, up to 2^32 of them', () => {
  const random = randomFrom(7)
  const die = Array.from({ length: 600 }, () => random.integer(1, 6))
  expect(new Set(die)).toEqual(new Set([1, 2, 3, 4, 5, 6]))
  for (let draw = 0; draw < 100; draw++) {
    const integer = random.integer(-(2 ** 31), 2 ** 31 - 1)
    expect(integer | 0).toBe(integer)
  }
})
