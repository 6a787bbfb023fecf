import fc from 'fast-check'
import { expect, test } from 'vitest'
import { jsonValue } from '../../src/loader/json.ts'

const TIMES = [1, 2, 3]

/** What a file with this text is, time after time. */
function values(source: string): unknown[] {
  const unit = { source, path: 'file.json' }
  return TIMES.map(() => jsonValue(unit))
}

test('a file is what JSON.parse makes of it, each time', () => {
  const text = fc.oneof(
    fc.json(),
    fc.tuple(fc.json(), fc.nat(3)).map(([json, space]) => JSON.stringify(JSON.parse(json), undefined, space)),
  )
  fc.assert(
    fc.property(text, (source) => {
      for (const value of values(source)) expect(value).toStrictEqual(JSON.parse(source))
    }),
    { seed: 1, examples: [['-0'], ['1e400'], ['"\u2028"'], ['{"b":1,"a":2,"1":3,"b":4}']] },
  )
})

test('no two share an object', () => {
  const [first, second, third] = values('{"list":[{"n":1}]}') as { list: { n: number }[] }[]
  first!.list[0]!.n = 2
  second!.list.push({ n: 3 })
  expect(third).toEqual({ list: [{ n: 1 }] })
})

test.each(['{"__proto__":{"n":1}}', '{"\\u005f_proto__":{"n":1}}', '{"_\\u005Fproto__":{"n":1}}'])(
  '%s has no other prototype',
  (source) => {
    for (const value of values(source)) {
      expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
      expect(Object.keys(value as object)).toEqual(['__proto__'])
    }
  },
)

test.each(['', '{', "{'a':1}", '[1,]', 'undefined', '1) + (2'])('%j is refused each time, by its path', (source) => {
  const unit = { source, path: 'file.json' }
  for (const _ of TIMES) expect(() => jsonValue(unit)).toThrow(/^file\.json: /)
})

test('a file may be nested deeply', () => {
  const depth = 5000
  for (const value of values('['.repeat(depth) + ']'.repeat(depth))) {
    let at = 0
    for (let inner = value as unknown[]; inner.length > 0; inner = inner[0] as unknown[]) at++
    expect(at).toBe(depth - 1)
  }
})
