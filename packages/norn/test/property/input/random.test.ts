import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isSimplest } from '../../../src/contract/choice.ts'
import { type Choices, essential, UNBOUNDED } from '../../../src/contract/choices.ts'
import { TapeRandom } from '../../../src/property/input/random.ts'
import { proposeInput } from '../../../src/tape/bias.ts'
import { chance } from '../../../src/tape/chance.ts'
import { replaySource } from '../../../src/tape/replay.ts'
import { type ChoiceSource, Tape } from '../../../src/tape/tape.ts'

const SEEDS = Array.from({ length: 40 }, (_, seed) => seed)

const nothingToSay: ChoiceSource = () => undefined

function byChance(seed: number): ChoiceSource {
  const draws = chance(seed)
  return ({ min, max }) => proposeInput(draws, min, max)
}

interface Generated<Value> {
  readonly value: Value
  readonly record: Choices
}

/** Generates a value and reads it: what is lazy (streams, `fc.gen`) draws while it is read. */
function generate<Value>(
  arbitrary: fc.Arbitrary<Value>,
  source: ChoiceSource,
  length: number,
  read: (value: Value) => unknown,
): Generated<unknown> {
  const tape = new Tape(source, length)
  const { value } = arbitrary.generate(TapeRandom.over(tape, 'x'), undefined)
  return { value: read(value), record: tape.record() }
}

function replay<Value>(arbitrary: fc.Arbitrary<Value>, choices: Choices, read: (value: Value) => unknown) {
  return generate(arbitrary, replaySource(choices).source, choices.length, read)
}

class Push implements fc.Command<number[], number[]> {
  readonly value: number
  constructor(value: number) {
    this.value = value
  }
  check = () => true
  run = () => {}
  toString = () => `push ${this.value}`
}

class Pop implements fc.Command<number[], number[]> {
  check = () => true
  run = () => {}
  toString = () => 'pop'
}

interface Case {
  readonly arbitrary: fc.Arbitrary<unknown>
  /** The value that the all-zero tape gives. */
  readonly simplest: unknown
  readonly read?: (value: never) => unknown
}

const tree = fc.letrec((tie) => ({
  tree: fc.oneof({ depthSize: 'small' }, fc.nat(9), fc.tuple(tie('tree'), tie('tree'))),
})).tree

const CASES: Record<string, Case> = {
  integer: { arbitrary: fc.integer(), simplest: 0 },
  'integer in a range': { arbitrary: fc.integer({ min: -50, max: -7 }), simplest: -7 },
  bigint: { arbitrary: fc.bigInt({ min: -(2n ** 100n), max: 2n ** 100n }), simplest: 0n },
  boolean: { arbitrary: fc.boolean(), simplest: false },
  double: { arbitrary: fc.double(), simplest: 0 },
  date: { arbitrary: fc.date({ noInvalidDate: true }), simplest: new Date(0) },
  uuid: { arbitrary: fc.uuid(), simplest: '00000000-0000-1000-8000-000000000000' },
  string: { arbitrary: fc.string(), simplest: '' },
  stringMatching: { arbitrary: fc.stringMatching(/^[a-c]{2,5}-\d+$/), simplest: 'aa-0' },
  array: { arbitrary: fc.array(fc.integer()), simplest: [] },
  uniqueArray: { arbitrary: fc.uniqueArray(fc.nat(20)), simplest: [] },
  subarray: { arbitrary: fc.subarray([1, 2, 3, 4, 5, 6]), simplest: [] },
  shuffledSubarray: { arbitrary: fc.shuffledSubarray(['a', 'b', 'c', 'd']), simplest: [] },
  set: { arbitrary: fc.set(fc.nat()), simplest: new Set() },
  option: { arbitrary: fc.option(fc.nat()), simplest: null },
  oneof: { arbitrary: fc.oneof(fc.constant('first'), fc.string({ minLength: 1 })), simplest: 'first' },
  constantFrom: { arbitrary: fc.constantFrom('red', 'green', 'blue'), simplest: 'red' },
  record: { arbitrary: fc.record({ a: fc.nat(), b: fc.string() }), simplest: { a: 0, b: '' } },
  dictionary: { arbitrary: fc.dictionary(fc.string(), fc.nat()), simplest: {} },
  letrec: { arbitrary: tree, simplest: 0 },
  memo: { arbitrary: fc.memo((n) => fc.array(n > 1 ? fc.nat() : fc.constant(1)))(3), simplest: [] },
  chain: {
    arbitrary: fc.nat(20).chain((n) => fc.array(fc.integer(), { minLength: n, maxLength: n })),
    simplest: [],
  },
  anything: { arbitrary: fc.anything(), simplest: false },
  clone: { arbitrary: fc.clone(fc.array(fc.nat()), 3), simplest: [[], [], []] },
  'a filter': { arbitrary: fc.integer().filter((n) => n % 2 === 0), simplest: 0 },
  infiniteStream: {
    arbitrary: fc.tuple(fc.infiniteStream(fc.nat(1000)), fc.nat()),
    simplest: [[0, 0, 0, 0, 0], 0],
    read: ([stream, n]: [fc.Stream<number>, number]) => [[...stream.take(5)], n],
  },
  gen: {
    arbitrary: fc.gen(),
    simplest: [0, '', []],
    read: (g: fc.GeneratorValue) => [g(fc.nat), g(fc.string), g(() => fc.array(fc.boolean()))],
  },
  commands: {
    arbitrary: fc.commands<number[], number[]>([fc.nat().map((n) => new Push(n)), fc.constant(new Pop())]),
    simplest: [],
    read: (commands: Iterable<fc.Command<number[], number[]>>) => [...commands].map(String),
  },
}

describe.each(Object.entries(CASES))('%s', (_, { arbitrary, simplest, read = (value: unknown) => value }) => {
  test('a record replays to the same value and the same record', () => {
    for (const seed of SEEDS) {
      // Every fourth tape runs out in the middle.
      const length = seed % 4 === 0 ? seed / 4 : UNBOUNDED
      const first = generate(arbitrary, byChance(seed), length, read as never)
      const again = replay(arbitrary, first.record, read as never)
      expect(again).toEqual(first)
      expect(replay(arbitrary, essential(first.record), read as never)).toEqual(first)
    }
  })

  test('the all-zero tape gives the simplest value', () => {
    const { value, record } = generate(arbitrary, () => 0, UNBOUNDED, read as never)
    expect(value).toEqual(simplest)
    expect(record.input.every(isSimplest)).toBe(true)
    expect(generate(arbitrary, nothingToSay, UNBOUNDED, read as never).value).toEqual(simplest)
    expect(generate(arbitrary, byChance(1), 0, read as never).value).toEqual(simplest)
  })
})

test('fc.clone gives equal values', () => {
  for (const seed of SEEDS) {
    const { value } = generate(fc.clone(fc.array(fc.anything()), 3), byChance(seed), UNBOUNDED, (copies) => copies)
    const [first, second, third] = value as unknown[]
    expect(second).toEqual(first)
    expect(third).toEqual(first)
  }
})

test('the draws of a value are labelled by its name and their position, and generations by their ordinal', () => {
  const tape = new Tape(() => 1)
  fc.tuple(fc.nat(), fc.nat()).generate(TapeRandom.over(tape, 'pair'), undefined)
  fc.nat().generate(TapeRandom.over(tape, 'pair', undefined, 2), undefined)
  expect(tape.record().input.map(({ label }) => label)).toEqual(['pair.0', 'pair.1', 'pair@2.0'])
})

test('every way of drawing stays within its range', () => {
  for (const seed of SEEDS) {
    const random = TapeRandom.over(new Tape(byChance(seed)), 'x')
    expect(random.nextInt() >= -0x8000_0000 && random.nextInt() <= 0x7fff_ffff).toBe(true)
    expect(random.nextDouble()).toBeLessThan(1)
    expect(random.nextDouble()).toBeGreaterThanOrEqual(0)
    expect([true, false]).toContain(random.nextBoolean())
    expect(random.next(3)).toBeLessThan(8)
    expect(random.nextBigInt(5n, 6n) - 5n).toBeLessThanOrEqual(1n)
  }
})

describe('a filter that natural values do not pass', () => {
  const identical = (value: unknown) => value
  const FILTERS: Record<string, fc.Arbitrary<unknown>> = {
    'an integer above 5': fc.integer().filter((n) => n > 5),
    'an integer below -1000': fc.integer().filter((n) => n < -1000),
    'a bigint above 2^70': fc.bigInt({ min: 0n, max: 2n ** 80n }).filter((n) => n > 2n ** 70n),
    'two equal numbers that are not zero': fc.tuple(fc.nat(99), fc.nat(99)).filter(([a, b]) => a === b && a > 0),
    'a string of some length': fc.string().filter((text) => text.length > 3),
    'a unique array of some length': fc.uniqueArray(fc.nat(), { minLength: 4, maxLength: 4 }),
    'a filter in an array': fc.array(
      fc.nat().filter((n) => n % 7 === 3),
      { minLength: 3, maxLength: 3 },
    ),
    'an element of a chain': fc.nat(3).chain((n) => fc.nat().filter((m) => m > n)),
  }

  test.each(Object.entries(FILTERS))('ends on a tape that says nothing, and replays: %s', (_, arbitrary) => {
    const zero = generate(arbitrary, nothingToSay, UNBOUNDED, identical)
    expect(replay(arbitrary, zero.record, identical)).toEqual(zero)
    for (const length of [0, 1, 2, 7, 300]) {
      const ranOut = generate(arbitrary, byChance(length), length, identical)
      expect(replay(arbitrary, ranOut.record, identical)).toEqual(ranOut)
      // The input may also be given by the end of the tape alone, as a shrinker cuts it.
      const cut = { ...ranOut.record, input: ranOut.record.input.slice(0, length) }
      expect(replay(arbitrary, cut, identical)).toEqual(ranOut)
    }
  })

  test('gets small values', () => {
    expect(generate(FILTERS['an integer above 5']!, nothingToSay, UNBOUNDED, identical).value).toBeLessThan(16)
  })

  test('does not disturb what comes before: the first draws stay natural', () => {
    const many = fc.array(fc.nat(), { minLength: 250, maxLength: 250 })
    expect(generate(many, nothingToSay, UNBOUNDED, identical).value).toEqual(Array.from({ length: 250 }, () => 0))
  })

  test('is given up by name if nothing passes, whatever the tape says', () => {
    const never = fc.nat().filter(() => false)
    for (const source of [nothingToSay, byChance(1)]) {
      expect(() => generate(never, source, UNBOUNDED, identical)).toThrow(/generation of 'x'.*filter/)
    }
  })
})
