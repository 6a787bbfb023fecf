import { expect, test } from 'vitest'
import { describeReason, type InconclusiveReason, reasonKey, whatOf } from '../../src/contract/inconclusive.ts'

const dns: InconclusiveReason = { kind: 'uncontrolled operation', operation: 'dns.lookup("a.example")' }
const parted = (step: number): InconclusiveReason => ({
  kind: 'nondeterminism',
  divergence: { step, first: { text: 'one' }, second: { text: 'other' } },
})

test('reasons are the same by kind and data, and nondeterminism wherever it shows', () => {
  expect(reasonKey(dns)).toBe(reasonKey({ ...dns }))
  expect(reasonKey(dns)).not.toBe(reasonKey({ kind: 'unsupported feature', feature: 'dns.lookup("a.example")' }))
  expect(reasonKey(parted(1))).toBe(reasonKey(parted(2)))
})

test('a reason is described in one line', () => {
  expect(describeReason(dns)).toBe('uncontrolled: dns.lookup("a.example")')
  const filter = { kind: 'filter exhausted', input: 'odd', filter: '(n) => false', rejected: 20_000 } as const
  expect(describeReason(filter)).toBe(
    "generation of 'odd' does not end: the filter (n) => false rejected 20,000 values in a row. " +
      'Generate matching values with min and max, map or chain instead.',
  )
})

test('the `what` field of JSON lines names the operation alone', () => {
  expect(whatOf(dns)).toBe('dns.lookup("a.example")')
  expect(whatOf({ kind: 'unsupported feature', feature: 'jest.mock' })).toBe('jest.mock')
})
