import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Identities } from '../../src/model/identities.ts'
import { Interner, NO_ROOM } from '../../src/model/interning.ts'

const plain = fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<unknown>
const what = 'a value'

/** The same data with keys in another order, and nothing shared. */
function rebuilt(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(rebuilt)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([key, item]) => [key, rebuilt(item)] as const)
  return Object.fromEntries(entries.reverse())
}

/** Equality as JSON with sorted keys: an independent way to say what equal means. */
function text(value: unknown): string {
  return JSON.stringify(value, (_, item) =>
    typeof item === 'object' && item !== null && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)))
      : item,
  )
}

describe('an interner', () => {
  test('gives two values one number exactly if they are equal, with copies or without', () => {
    fc.assert(
      fc.property(fc.array(plain, { maxLength: 8 }), fc.boolean(), (values, withoutCopies) => {
        const interner = new Interner({ withoutCopies })
        const ids = values.map((value) => interner.intern(value, what))
        for (const [at, value] of values.entries()) {
          expect(interner.intern(rebuilt(value), what)).toBe(ids[at])
          for (const [other, against] of values.entries()) {
            expect(ids[at] === ids[other]).toBe(text(value) === text(against))
          }
        }
      }),
    )
  })

  test('keeps a frozen copy, and leaves the value as it was', () => {
    const value = { b: [1, { c: 2 }], a: 'x' }
    const interner = new Interner()
    const copy = interner.value(interner.intern(value, what)) as typeof value
    expect(copy).toEqual(value)
    expect(Object.keys(copy)).toEqual(['a', 'b'])
    expect(() => (copy.b[1] as { c: number }).c++).toThrow(TypeError)
    value.b.push(3)
    expect(copy.b).toHaveLength(2)
  })

  test('keeps equal parts once', () => {
    const interner = new Interner()
    const copyOf = (value: unknown) => interner.value(interner.intern(value, what)) as { part: object }
    expect(copyOf({ part: { x: 1 }, at: 1 }).part).toBe(copyOf({ part: { x: 1 }, at: 2 }).part)
  })

  test('takes a missing property for undefined, and -0 for 0, but not 1 for "1", or a list for an object', () => {
    const interner = new Interner()
    const same = (one: unknown, other: unknown) => interner.intern(one, what) === interner.intern(other, what)
    expect(same({ a: 1 }, { a: 1, b: undefined })).toBe(true)
    expect(same([-0], [0])).toBe(true)
    expect(same([1], ['1'])).toBe(false)
    expect(same([], {})).toBe(false)
    expect(same([undefined], [])).toBe(false)
    expect(same({ ab: 'c' }, { a: 'bc' })).toBe(false)
    expect(Object.is((interner.value(interner.intern([-0], what)) as number[])[0], 0)).toBe(true)
  })

  test('keeps a key named __proto__', () => {
    const interner = new Interner()
    const value = JSON.parse('{"__proto__":{"a":1}}')
    expect(JSON.stringify(interner.value(interner.intern(value, what)))).toBe('{"__proto__":{"a":1}}')
  })

  test.each([
    [{ votes: [{ from: Number.NaN }] }, 'votes[0].from is NaN'],
    [{ done: () => true }, 'done is a function'],
    [{ big: 1n }, 'big is a bigint'],
    [{ seen: new Set([1]) }, 'seen is a Set; write a sorted array, or an object whose keys are the elements'],
    [{ log: new Map() }, 'log is a Map; write an object'],
    [{ at: new Date(0) }, 'at is a Date'],
    [Number.POSITIVE_INFINITY, 'it is Infinity'],
  ])('refuses %o and says where', (value, whyNotPlain) => {
    expect(() => new Interner().intern(value, 'the state')).toThrow(`the state is not plain data: ${whyNotPlain}`)
  })

  test('refuses a value that holds itself', () => {
    const value: { self?: unknown } = {}
    value.self = value
    expect(() => new Interner().intern(value, 'the state')).toThrow('nested deeper than 200, or holds itself')
  })

  test('gives no number to what is new when it is full, and the old one to what is not', () => {
    const first = new Interner()
    first.intern({ a: 1 }, what)
    const interner = new Interner({ maxBytes: first.bytes })
    const id = interner.intern({ a: 1 }, what)
    expect(interner.intern({ a: 2 }, what)).toBe(NO_ROOM)
    expect(interner.intern(2, what)).toBe(NO_ROOM)
    expect(interner.intern({ a: 1 }, what)).toBe(id)
  })
})

describe('identities', () => {
  test('are numbered from 1, and those without room share 0', () => {
    const identities = new Identities(2)
    const ids = [['a'], ['b'], ['a'], ['c'], ['d'], ['b']].map((state) => identities.of(state, what))
    expect(ids).toEqual([1, 2, 1, 0, 0, 2])
    const small = new Identities(1000, 500)
    const later = Array.from({ length: 10 }, (_, at) => small.of({ at }, what))
    expect(later).toEqual([1, 2, 0, 0, 0, 0, 0, 0, 0, 0])
  })
})
