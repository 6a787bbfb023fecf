import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { copyAgain, copyData } from '../../src/cluster/plain-data.ts'

const copy = (value: unknown) => copyData(value, () => 'the message')

test('a copy is equal to what it is of, and shares nothing with it', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const copied = copy(value)
      expect(JSON.stringify(copied)).toBe(JSON.stringify(value))
      if (typeof value === 'object' && value !== null) expect(copied).not.toBe(value)
    }),
    { seed: 1, numRuns: 300 },
  )
  const inner = { list: [1] }
  const copied = copy({ inner }) as { inner: { list: number[] } }
  inner.list.push(2)
  expect(copied.inner.list).toEqual([1])
})

test('what another realm calls an object is one, and a key may be called what it likes', () => {
  expect(copy(runInNewContext('({ a: [1, { b: 2 }] })'))).toEqual({ a: [1, { b: 2 }] })
  const odd = JSON.parse('{"__proto__": {"polluted": 1}, "constructor": 2, "": 3}')
  const copied = copy(odd) as Record<string, unknown>
  expect(JSON.stringify(copied)).toBe(JSON.stringify(odd))
  expect([copied.polluted, Object.getPrototypeOf(copied) === Object.prototype]).toEqual([undefined, true])
})

test('a copy of a copy is equal to it, and shares nothing with it', () => {
  const shared = (one: unknown, other: unknown): boolean =>
    typeof one === 'object' &&
    one !== null &&
    (one === other || Object.keys(one).some((key) => shared(Reflect.get(one, key), Reflect.get(other as object, key))))
  const odd = JSON.parse('{"__proto__": {"polluted": [1]}, "": {}}')
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const first = copy([value, odd])
      const again = copyAgain(first)
      expect(JSON.stringify(again)).toBe(JSON.stringify(first))
      expect(shared(first, again)).toBe(false)
    }),
    { seed: 1, numRuns: 300 },
  )
})

test('only own fields with names are copied', () => {
  Object.defineProperty(Object.prototype, 'everywhere', { value: { list: [] }, enumerable: true, configurable: true })
  let copies: readonly object[] = []
  try {
    const first = copy({ a: 1, [Symbol('s')]: 2 }) as object
    copies = [first, copyAgain(first) as object]
  } finally {
    Reflect.deleteProperty(Object.prototype, 'everywhere')
  }
  expect(copies.map((each) => Reflect.ownKeys(each))).toEqual([['a'], ['a']])
})

test('undefined counts as not being there', () => {
  expect(JSON.stringify(copy({ a: undefined, b: 1 }))).toBe('{"b":1}')
  expect(copy(undefined)).toBe(undefined)
})

class Version {
  readonly number = 1
}

const circular: Record<string, unknown> = {}
circular.self = circular

const nameless = Object.create({ constructor: undefined, inherited: 1 })

test.each([
  [new Version(), 'it is a Version'],
  [{ log: [1, new Date(0)] }, 'log[1] is a Date'],
  [{ at: { peers: new Map() } }, 'at.peers is a Map; write an object'],
  [{ vote: () => true }, 'vote is a function'],
  [{ term: Number.NaN }, 'term is NaN'],
  [[1n], '[0] is a bigint'],
  [Symbol('x'), 'it is a symbol'],
  [circular, 'it is nested deeper than 200, or holds itself'],
  [nameless, 'it is of a class'],
])('%o is not plain data', (value, why) => {
  expect(() => copy(value)).toThrow(new TypeError(`the message is not plain data: ${why}`))
})
