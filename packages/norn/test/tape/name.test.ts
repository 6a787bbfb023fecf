import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatName, inputSeed, parseName, SCHEDULES_PER_INPUT, scheduleOrdinal } from '../../src/tape/name.ts'

const word = fc.integer({ min: 0, max: 0xffff_ffff })

test('every length and seed round-trips, in decimal and in hexadecimal', () => {
  fc.assert(
    fc.property(word, word, (length, seed) => {
      const text = formatName({ length, seed })
      expect(text).toMatch(/^\d+$/)
      expect(parseName(text)).toEqual({ length, seed })
      expect(parseName(`0x${BigInt(text).toString(16)}`)).toEqual({ length, seed })
      expect(parseName(` 0X${BigInt(text).toString(16).toUpperCase()}\n`)).toEqual({ length, seed })
    }),
    { seed: 1 },
  )
})

test('the length is in the high half and the seed in the low one', () => {
  expect(formatName({ length: 1, seed: 2 })).toBe('4294967298')
  expect(parseName('18446744073709551615')).toEqual({ length: 0xffff_ffff, seed: 0xffff_ffff })
  expect(parseName('0')).toEqual({ length: 0, seed: 0 })
})

test.each([
  '',
  ' ',
  '-1',
  '1.5',
  '1e3',
  '0x',
  '0xg',
  'ten',
  '1 2',
  '1n',
  '0x10000000000000000',
  '999999999999999999999',
])('%j names nothing, and the error says what was expected', (text) => {
  expect(() => parseName(text)).toThrow(RangeError)
  expect(() => parseName(text)).toThrow(/does not name an execution: expected one unsigned 64-bit number/)
})

test('a number above 64 bits is refused', () => {
  expect(() => parseName('18446744073709551616')).toThrow(/"18446744073709551616" does not fit into 64 bits/)
})

test('the high 28 bits of a seed decide the input, and the low four which of its schedules it is', () => {
  fc.assert(
    fc.property(word, (seed) => {
      expect(inputSeed(seed) * SCHEDULES_PER_INPUT + scheduleOrdinal(seed)).toBe(seed)
      expect(scheduleOrdinal(seed)).toBeLessThan(SCHEDULES_PER_INPUT)
    }),
    { seed: 1 },
  )
})
