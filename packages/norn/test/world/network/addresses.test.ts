import { expect, test } from 'vitest'
import { isLinkLocal } from '../../../src/world/network/addresses.ts'

test('an address of one link is link-local unless it names the link', () => {
  expect(['fe80::1', 'FEBF::2'].map(isLinkLocal)).toEqual([true, true])
  expect(['fe80::1%eth0', 'fec0::1', 'fd00::2', '::1', '169.254.0.1'].map(isLinkLocal)).toEqual(Array(5).fill(false))
})
