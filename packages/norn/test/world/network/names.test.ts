import { expect, test } from 'vitest'
import {
  isQueryable,
  normalAddress,
  normalName,
  numericAddress,
  reverseName,
} from '../../../src/world/network/names.ts'

test.each([
  ['127.1', '127.0.0.1'],
  ['0x7f.1', '127.0.0.1'],
  ['2130706433', '127.0.0.1'],
  ['0177.0.0.1', '127.0.0.1'],
  ['10.0.5', '10.0.0.5'],
  ['0', '0.0.0.0'],
  ['255.255.255.255', '255.255.255.255'],
  ['256.1', undefined],
  ['1.2.3.256', undefined],
  ['4294967296', undefined],
  ['08', undefined],
  ['a.1', undefined],
  ['', undefined],
])('the number %j is the address %j', (text, address) => {
  expect(numericAddress(text)).toBe(address)
})

test.each([
  ['::1', '::1'],
  ['0:0:0:0:0:0:0:1', '::1'],
  ['2001:DB8::0:1', '2001:db8::1'],
  ['1:0:0:2:0:0:0:3', '1:0:0:2::3'],
  ['1:0:2:3:4:5:6:7', '1:0:2:3:4:5:6:7'],
  ['fe80::1%lo', 'fe80::1'],
  ['::ffff:10.0.0.5', '::ffff:10.0.0.5'],
  ['::ffff:a00:5', '::ffff:10.0.0.5'],
  ['::', '::'],
  ['10.0.0.5', '10.0.0.5'],
])('%s has one form: %s', (address, normal) => {
  expect(normalAddress(address)).toBe(normal)
})

test('the name of an address has its parts backwards', () => {
  expect(reverseName('10.0.0.5')).toBe('5.0.0.10.in-addr.arpa')
  expect(reverseName('fd00::1')).toBe(`1.${'0.'.repeat(28)}0.d.f.ip6.arpa`)
})

test('names are found whatever their case, their last dot and their characters', () => {
  expect(normalName('BÜCHER.Test.')).toBe('xn--bcher-kva.test')
  expect(isQueryable('xn--bcher-kva.test')).toBe(true)
})
