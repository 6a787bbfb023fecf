import { checkPrimeSync } from 'node:crypto'
import { expect, test } from 'vitest'
import { chance } from '../../src/tape/chance.ts'
import { bytesOf, children, content, element, INTEGER, integer, numberOf, SEQUENCE } from '../../src/world/own/der.ts'
import { drawPrime, inverse } from '../../src/world/own/primes.ts'

const isPrime = (candidate: bigint) => checkPrimeSync(candidate)

test('a prime has the number of bits that was asked for, and is the same for the same chance', () => {
  for (const bits of [2, 3, 4, 5, 8, 16, 31, 64, 127, 256]) {
    const prime = drawPrime(bits, {}, chance(1, bits), isPrime)!
    expect([isPrime(prime), prime.toString(2).length]).toEqual([true, bits])
    expect(drawPrime(bits, {}, chance(1, bits), isPrime)).toBe(prime)
  }
})

test('a safe prime is twice a prime and one; with `add` a prime leaves the remainder', () => {
  const safe = drawPrime(40, { safe: true }, chance(2), isPrime)!
  expect(isPrime((safe - 1n) / 2n)).toBe(true)
  expect(drawPrime(40, { add: 12n, rem: 11n }, chance(3), isPrime)! % 12n).toBe(11n)
  expect(drawPrime(40, { add: 12n }, chance(3), isPrime)! % 12n).toBe(1n)
})

test('where there is no such prime, none is found', () => {
  expect(drawPrime(1, {}, chance(4), isPrime)).toBeUndefined()
  expect(drawPrime(20, { add: 12n, rem: 4n }, chance(4), isPrime)).toBeUndefined()
})

test('an inverse is one, and there is none of what shares a factor', () => {
  for (const value of [1n, 2n, 12n, 96n]) expect((inverse(value, 97n)! * value) % 97n).toBe(1n)
  expect(inverse(6n, 9n)).toBeUndefined()
})

test('what is written as DER is read again, short or long', () => {
  for (const value of [0n, 1n, 127n, 128n, 1n << 2000n]) expect(numberOf(content(integer(value)))).toBe(value)
  const parts = [integer(5n), element(SEQUENCE, integer(1n << 1200n)), integer(300n)]
  expect(children(element(SEQUENCE, ...parts))).toEqual(parts)
  expect(integer(128n)).toEqual(Buffer.of(INTEGER, 2, 0, 128))
  expect(bytesOf(1n, 4)).toEqual(Buffer.of(0, 0, 0, 1))
  expect(() => children(Buffer.of(SEQUENCE, 2, INTEGER, 9))).toThrow('ends after')
})
