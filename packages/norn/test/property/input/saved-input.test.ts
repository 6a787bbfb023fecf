import { expect, test } from 'vitest'
import { type LiveInput, loadInput, saveInput } from '../../../src/property/input/saved-input.ts'

const live = (values: Record<string, unknown>, draws: LiveInput['draws'] = []): LiveInput => ({ values, draws })

const cyclic: { self?: unknown; list: unknown[] } = { list: [] }
cyclic.self = cyclic
cyclic.list.push(cyclic)

const HELD: Record<string, unknown> = {
  numbers: [0, -0, 1.5, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
  bigints: [0n, -(2n ** 100n)],
  text: 'a\u0000"\\\u2028\ud83d\ude00</script>',
  nothing: [null, undefined],
  sparse: Object.assign(new Array(3), { 1: 'x' }),
  date: new Date(86_400_000),
  map: new Map<unknown, unknown>([
    ['a', new Set([1, 2])],
    [{ key: true }, 1],
  ]),
  bytes: new Uint8Array([0, 127, 255]),
  floats: new Float64Array([1.5, -0]),
  pattern: /a+/gi,
  url: new URL('http://a.example/b?c#d'),
  bare: Object.assign(Object.create(null), { a: 1 }),
  cyclic,
}

test.each(Object.keys(HELD))('holds %s, through text and back', (name) => {
  const saved = saveInput(live({ [name]: HELD[name] }))
  expect(saved).toBeDefined()
  const loaded = loadInput(JSON.parse(JSON.stringify(saved)))
  expect(loaded.values[name]).toEqual(HELD[name])
})

test('what is one object in two places stays one', () => {
  const shared = { n: 1 }
  const { values } = loadInput(saveInput(live({ a: shared, b: [shared] }))!)
  expect((values.b as unknown[])[0]).toBe(values.a)
})

test('what the body drew is kept in order, with labels', () => {
  const draws = [
    { label: 'action', value: 'push' },
    { label: 'value', value: 2n },
    { label: 'action', value: undefined },
  ]
  expect(loadInput(saveInput(live({ a: 1 }, draws))!)).toEqual({ values: { a: 1 }, draws })
})

class Account {
  balance = 1
}

test.each([
  ['a function', () => 1],
  ['an instance of a class', new Account()],
  ['a symbol', Symbol('s')],
  ['something deep inside', { list: [{ f: () => 1 }] }],
])('an input that holds %s is not saved', (_, value) => {
  expect(saveInput(live({ value }))).toBeUndefined()
  expect(saveInput(live({}, [{ label: 'draw', value }]))).toBeUndefined()
})

test.each([
  ['', []],
  ['not json', []],
  ['[1]', [{ label: 'x', value: '{' }]],
  ['-1', []],
  ['["no object"]', []],
])('a saved form that is broken is refused by an error that says so: %j', (values, draws) => {
  expect(() => loadInput({ values, draws })).toThrow(/^malformed saved input: ./)
})

test('a saved form cannot reach prototypes', () => {
  const hostile = '[{"__proto__":1},{"polluted":2},true]'
  try {
    loadInput({ values: hostile, draws: [] })
  } catch {
    // Refusing is as good as ignoring.
  }
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
})
