import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Choice, ChoiceKind } from '../../src/contract/choice.ts'
import { type Choices, UNBOUNDED } from '../../src/contract/choices.ts'
import {
  CHOICES_VERSION,
  ChoicesFormatError,
  choicesKey,
  choicesText,
  decodeChoices,
  encodeChoices,
} from '../../src/tape/codec.ts'

const three = <Value extends number | bigint>(values: fc.Arbitrary<Value>) =>
  fc.tuple(values, values, values).map((some) => some.sort((a, b) => (a < b ? -1 : a > b ? 1 : 0)))

const choiceOf = (...kinds: readonly ChoiceKind[]): fc.Arbitrary<Choice> =>
  fc
    .tuple(
      fc.constantFrom(...kinds),
      fc.string({ unit: 'binary' }),
      fc.oneof(three(fc.maxSafeInteger()), three(fc.bigInt({ min: -(2n ** 300n), max: 2n ** 300n }))),
      fc.option(fc.string(), { nil: undefined }),
    )
    .map(([kind, label, [min, value, max], alias]) => {
      const plain = { kind, label, min: min!, max: max!, value: value! }
      return alias === undefined ? plain : { ...plain, alias }
    })

const tape: fc.Arbitrary<Choices> = fc.record({
  input: fc.array(choiceOf('value')),
  schedule: fc.array(choiceOf('latency', 'pick', 'step', 'seed')),
  fault: fc.array(choiceOf('fault')),
  length: fc.integer({ min: 0, max: UNBOUNDED }),
})

test('every tape round-trips through JSON', () => {
  fc.assert(
    fc.property(tape, (choices) => {
      // Negative zero is no integer that JSON keeps, and no choice is one.
      expect(decodeChoices(JSON.parse(JSON.stringify(encodeChoices(choices))))).toEqual(normal(choices))
    }),
    { seed: 1, numRuns: 200 },
  )
})

function normal(choices: Choices): Choices {
  const positive = (value: number | bigint) => (value === 0 ? 0 : value)
  const lane = (list: readonly Choice[]) =>
    list.map((c) => ({ ...c, min: positive(c.min), max: positive(c.max), value: positive(c.value) }))
  return { ...choices, input: lane(choices.input), schedule: lane(choices.schedule), fault: lane(choices.fault) }
}

test('the text that is written by hand is that of JSON.stringify', () => {
  fc.assert(
    fc.property(tape, (choices) => {
      const written = normal(choices)
      expect(choicesText(written)).toBe(JSON.stringify(encodeChoices(written)))
    }),
    { seed: 2, numRuns: 200 },
  )
})

test('the form is small and readable', () => {
  const input = [{ kind: 'value', label: 'x.0', min: 0, max: 9, value: 4 }] as const
  const schedule = [
    { kind: 'latency', label: 'a', min: 0n, max: 9n, value: 4n, alias: 'open b 1' },
    { kind: 'step', label: '0', min: 0, max: 9, value: 4 },
  ] as const
  expect(encodeChoices({ input, schedule, fault: [], length: 7 })).toEqual({
    version: 2,
    length: 7,
    input: [['x.0', 0, 9, 4]],
    schedule: [
      ['a', '0n', '9n', '4n', 'open b 1'],
      ['0', 0, 9, 4, null, 'step'],
    ],
    fault: [],
  })
})

test('choices of version 1 have no kinds: these follow from the lanes and labels', () => {
  const labels = ['0:1 open effect', '0', '12', '012', 'pick scheduler@0.3', 'chance seed']
  const schedule = labels.map((label) => [label, 0, 9, 4])
  const encoded = { version: 1, length: 7, input: [['0', 0, 9, 4]], schedule, fault: [['0:1 write', 0, 9, 4]] }
  const decoded = decodeChoices(encoded)
  expect(decoded.schedule.map(({ kind }) => kind)).toEqual(['latency', 'step', 'step', 'latency', 'pick', 'seed'])
  expect([decoded.input[0]!.kind, decoded.fault[0]!.kind]).toEqual(['value', 'fault'])
})

describe('refused, by an error that names the place', () => {
  const good = { version: CHOICES_VERSION, length: 5, input: [], schedule: [], fault: [] }
  const withChoice = (item: unknown) => ({ ...good, schedule: [['ok', 0, 1, 1], item] })
  const PLACE = /^choice 1 of lane "schedule"/

  test.each([
    ['no object', 'text', /the tape is not an object/],
    ['nothing', null, /the tape is not an object/],
    ['an array', [], /version/],
    ['no version', {}, /version undefined; this norn reads versions 1 and 2/],
    ['another version', { ...good, version: 3 }, /version 3; this norn reads versions 1 and 2/],
    ['a length below zero', { ...good, length: -1 }, /length/],
    ['a length that is no whole number', { ...good, length: 1.5 }, /length/],
    ['a length above 32 bits', { ...good, length: 2 ** 32 }, /length/],
    ['a length that is text', { ...good, length: '5' }, /length/],
    ['a lane that is missing', { ...good, fault: undefined }, /lane "fault" of the tape is not an array/],
    ['a lane that is an object', { ...good, input: { length: 3 } }, /lane "input" of the tape is not an array/],
    [
      'a lane that is too long',
      { ...good, input: new Array(4_000_001) },
      /lane "input" of the tape has 4000001 choices; the maximum is 4000000/,
    ],
    ['a choice that is no array', withChoice({ label: 'x' }), PLACE],
    ['a choice without a label', withChoice([1, 0, 1, 1]), PLACE],
    ['a choice that is too short', withChoice(['x', 0, 1]), PLACE],
    ['a choice that is too long', withChoice(['x', 0, 1, 1, 'a', 'step', 'c']), PLACE],
    ['a kind that is not one', withChoice(['x', 0, 1, 1, null, 'steps']), PLACE],
    ['a kind of another lane', withChoice(['x', 0, 1, 1, null, 'fault']), PLACE],
    ['a value below its range', withChoice(['x', 0, 1, -1]), PLACE],
    ['a value above its range', withChoice(['x', 0, 1, 2]), PLACE],
    ['an empty range', withChoice(['x', 2, 1, 2]), PLACE],
    ['a bigint in a range of numbers', withChoice(['x', 0, 1, '1n']), PLACE],
    ['an unsafe integer', withChoice(['x', 0, 2 ** 53, 1]), PLACE],
    ['a fraction', withChoice(['x', 0, 1, 0.5]), PLACE],
    ['infinity', withChoice(['x', 0, Number.POSITIVE_INFINITY, 1]), PLACE],
    ['text that is no bigint', withChoice(['x', '0n', '1n', '0x1n']), PLACE],
    ['nothing for a value', withChoice(['x', 0, 1, null]), PLACE],
    ['an endless bigint', withChoice(['x', '0n', `${'9'.repeat(5000)}n`, '1n']), PLACE],
    ['an alias that is no text', withChoice(['x', 0, 1, 1, 5]), PLACE],
  ])('%s', (_, serial, message) => {
    expect(() => decodeChoices(serial)).toThrow(ChoicesFormatError)
    expect(() => decodeChoices(serial)).toThrow(message)
  })
})

describe('hostile keys and labels mean nothing', () => {
  test('keys that are not of the form are left out', () => {
    const hostile =
      '{"__proto__":{"polluted":1},"constructor":1,"version":1,"length":1,"input":[],"schedule":[],"fault":[]}'
    const parsed = decodeChoices(JSON.parse(hostile))
    expect(Object.keys(parsed).sort()).toEqual(['fault', 'input', 'length', 'schedule'])
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
  })

  test('a lane is not taken from a prototype that JSON made', () => {
    const hostile = '{"__proto__":{"input":[]},"version":1,"length":1,"schedule":[],"fault":[]}'
    expect(() => decodeChoices(JSON.parse(hostile))).toThrow(/lane "input"/)
  })

  test('a label may be any text', () => {
    const serial = { version: 1, length: 1, input: [['__proto__', 0, 1, 1]], schedule: [], fault: [] }
    expect(decodeChoices(serial).input[0]!.label).toBe('__proto__')
  })
})

test('the key of choices is their form of version 1, which names the entries of a corpus', () => {
  const steps = [
    ['deliver n1>n2 1', 0, 3, 1, 'deliver 1'],
    ['latency a', '0n', '9n', '4n'],
  ]
  const serial = { version: 1, length: 7, input: [['x.0', 0, 9, 4]], schedule: steps, fault: [['write', 0, 2, 1]] }
  expect(choicesKey(decodeChoices(serial))).toBe(JSON.stringify(serial))
  expect(choicesKey(decodeChoices(encodeChoices(decodeChoices(serial))))).toBe(JSON.stringify(serial))
})
