import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fromBytes } from '../../src/property/from-bytes.ts'
import { chance } from '../../src/tape/chance.ts'

const bytes = (...values: number[]) => Uint8Array.from(values)

test('no bytes, and zero bytes, give the simplest value', () => {
  const order = fc.record({ id: fc.integer(), tags: fc.array(fc.string()), kind: fc.constantFrom('a', 'b') })
  for (const some of [bytes(), new Uint8Array(50)]) {
    expect({ ...fromBytes(order, some) }).toEqual({ id: 0, tags: [], kind: 'a' })
  }
})

test('every value of a small arbitrary is reached', () => {
  const small = fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.boolean(), fc.integer({ min: -2, max: 2 }))
  const reached = new Set<string>()
  for (let a = 0; a < 3; a++) {
    for (let b = 0; b < 2; b++)
      for (let c = 0; c < 5; c++) reached.add(JSON.stringify(fromBytes(small, bytes(a, b, c))))
  }
  expect(reached.size).toBe(30)
})

describe('whatever the bytes', () => {
  test.each([
    ['nested', fc.letrec((tie) => ({ node: fc.oneof(fc.nat(), fc.array(tie('node'), { maxLength: 3 })) })).node],
    ['text', fc.string({ unit: 'grapheme' })],
    ['anything', fc.anything()],
    ['filtered', fc.integer().filter((n) => n % 7 === 3)],
    ['unique', fc.uniqueArray(fc.nat(), { minLength: 5 })],
    ['big', fc.bigInt({ min: -(2n ** 100n), max: 2n ** 100n })],
  ] as [string, fc.Arbitrary<unknown>][])('%s: there is a value, and the same again', (_, arbitrary) => {
    const draws = chance(3)
    for (let trial = 0; trial < 100; trial++) {
      const some = Uint8Array.from({ length: draws.integer(0, 64) }, () => draws.integer(0, 255))
      const first = fc.stringify(fromBytes(arbitrary, some))
      expect(fc.stringify(fromBytes(arbitrary, some))).toBe(first)
    }
  })
})

test('what is no arbitrary, what are no bytes, and what never ends is refused', () => {
  expect(() => fromBytes({} as never, bytes())).toThrow(/arbitrary is not a fast-check arbitrary/)
  expect(() => fromBytes(fc.nat(), 'abc' as never)).toThrow(/must be a Uint8Array, such as a Buffer/)
  expect(() =>
    fromBytes(
      fc.nat().filter(() => false),
      bytes(1, 2),
    ),
  ).toThrow(/generation of 'value' does not end/)
})
