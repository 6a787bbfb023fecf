import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { TapeRecord } from '../../../src/contract/choices.ts'
import { TapeRandom } from '../../../src/property/input/random.ts'
import { generateInput } from '../../../src/property/input/spans.ts'
import { chance } from '../../../src/tape/chance.ts'
import { replaySource } from '../../../src/tape/replay.ts'
import { type ChoiceSource, Tape } from '../../../src/tape/tape.ts'

const NO_GENERATOR = { clone: () => NO_GENERATOR, next: () => 0, jump: () => {}, getState: () => [] } as never

/**
 * A random source that is none of norn's: it reads given values, and its clones read the same ones.
 */
class Reader extends fc.Random {
  readonly #values: readonly (number | bigint)[]
  #position: number
  /** How far any cursor has read. */
  readonly #farthest: { read: number }

  constructor(values: readonly (number | bigint)[], position = 0, farthest = { read: 0 }) {
    super(NO_GENERATOR)
    this.#values = values
    this.#position = position
    this.#farthest = farthest
  }

  get read(): number {
    return this.#farthest.read
  }

  #next(): number | bigint {
    if (this.#position >= this.#values.length) throw new Error('more was drawn than under spans')
    const value = this.#values[this.#position++]!
    this.#farthest.read = Math.max(this.#farthest.read, this.#position)
    return value
  }

  override clone(): Reader {
    return new Reader(this.#values, this.#position, this.#farthest)
  }
  override nextInt(): number {
    return Number(this.#next())
  }
  override nextBigInt(): bigint {
    return BigInt(this.#next())
  }
}

const command = (name: string) => ({ check: () => true, run: () => {}, toString: () => name })

const tree = fc.letrec((tie) => ({
  tree: fc.oneof({ depthSize: 'small' }, fc.nat(9), fc.tuple(tie('tree'), tie('tree'))),
})).tree

const ARBITRARIES: Record<string, fc.Arbitrary<unknown>> = {
  integer: fc.integer(),
  bigint: fc.bigInt(),
  constantFrom: fc.constantFrom(1, 2, 3),
  double: fc.double(),
  date: fc.date(),
  string: fc.string(),
  'mixed case': fc.mixedCase(fc.constant('hello')),
  json: fc.json(),
  uuid: fc.uuid(),
  'e-mail address': fc.emailAddress(),
  stringMatching: fc.stringMatching(/^[a-c]{2,5}-\d+$/),
  array: fc.array(fc.integer()),
  'typed array': fc.uint8Array(),
  uniqueArray: fc.uniqueArray(fc.nat(20)),
  subarray: fc.subarray([1, 2, 3, 4]),
  set: fc.set(fc.nat()),
  option: fc.option(fc.nat()),
  oneof: fc.oneof(fc.nat(), fc.string(), fc.array(fc.nat())),
  record: fc.record({ a: fc.nat(), b: fc.string() }, { requiredKeys: ['a'] }),
  dictionary: fc.dictionary(fc.string(), fc.nat()),
  letrec: tree,
  memo: fc.memo((n) => fc.array(n > 1 ? fc.nat() : fc.constant(1)))(3),
  chain: fc.nat(9).chain((n) => fc.array(fc.integer(), { minLength: n, maxLength: n })),
  chainUntil: fc.chainUntil(fc.nat(9), (n) => (n > 0 ? fc.nat(n - 1) : undefined)),
  filter: fc.array(fc.integer().filter((n) => n % 2 === 0)),
  map: fc.array(fc.nat().map((n) => ({ n }))),
  anything: fc.anything(),
  clone: fc.clone(fc.array(fc.nat()), 3),
  noShrink: fc.noShrink(fc.array(fc.nat())),
  limitShrink: fc.limitShrink(fc.array(fc.nat()), 3),
  commands: fc
    .commands([fc.nat(9).map((n) => command(`push ${n}`)), fc.constant(command('pop'))])
    .map((c) => [...c].length),
}

function generate(arbitrary: fc.Arbitrary<unknown>, source: ChoiceSource, biasFactor?: number) {
  const tape = new Tape(source)
  const generator = { generate: (random: fc.Random) => arbitrary.generate(random, biasFactor) }
  const random = TapeRandom.over(tape, 'x')
  const { value, context } = generateInput(biasFactor === undefined ? arbitrary : generator, random, 'x')
  return { value, context, record: tape.record() }
}

function byChance(seed: number): ChoiceSource {
  const draws = chance(seed)
  return ({ min, max }) =>
    typeof min === 'bigint' ? draws.bigint(min, max as bigint) : draws.integer(min, Number(max))
}

/** The spans in an order of draws that is given, in the words of a table: label, and values. */
function spansOf(arbitrary: fc.Arbitrary<unknown>, ...values: number[]): string[] {
  const { record } = generate(arbitrary, ({ index }) => values[index])
  return record.spans.map(({ label, start, end }) => `${label}: ${values.slice(start, end).join(' ')}`)
}

describe.each(Object.entries(ARBITRARIES))('%s', (_, arbitrary) => {
  test.each([undefined, 3])('is drawn as it is without spans, biased by %s', (biasFactor) => {
    for (let seed = 1; seed <= 40; seed++) {
      const { value, context, record } = generate(arbitrary, byChance(seed), biasFactor)
      const drawn = record.input.map((choice) => choice.value)
      const reader = new Reader(drawn)
      const plain = arbitrary.generate(reader, biasFactor)
      expect(fc.stringify(plain.value)).toBe(fc.stringify(value))
      expect(reader.read).toBe(drawn.length)
      expect(Object.keys(Object(plain.context))).toEqual(Object.keys(Object(context)))
    }
  })

  test('its spans lie one within the other or apart, all within the input, and a replay names the same', () => {
    for (let seed = 1; seed <= 20; seed++) {
      const { record } = generate(arbitrary, byChance(seed))
      if (record.input.length === 0) continue
      expect(record.spans[0]).toEqual({ lane: 'input', label: 'x', start: 0, end: record.input.length })
      expectNested(record)
      expect(generate(arbitrary, replaySource(record).source).record).toEqual(record)
    }
  })
})

function expectNested({ spans }: TapeRecord): void {
  const open: { start: number; end: number }[] = []
  for (const span of spans) {
    expect(span.start).toBeLessThan(span.end)
    while (open.length > 0 && open.at(-1)!.end <= span.start) open.pop()
    if (open.length > 0) expect(span.end).toBeLessThanOrEqual(open.at(-1)!.end)
    open.push(span)
  }
}

describe('each part has its span, and parts of a kind share a label', () => {
  test('the items of an array, its length apart', () => {
    expect(spansOf(fc.array(fc.nat(9)), 2, 7, 8)).toEqual(['x: 2 7 8', 'x.*: 7', 'x.*: 8'])
  })

  test('the fields of a record, the inner value of an option', () => {
    const record = fc.record({ a: fc.nat(9), b: fc.option(fc.nat(9)) })
    // The last one chooses among one: whether the record has a prototype.
    expect(spansOf(record, 5, 1, 6, 0)).toEqual(['x: 5 1 6 0', 'x[0]: 5', 'x[1]: 1 6', 'x[1].1: 6', 'x[2]: 0'])
  })

  test('both parts of a chain, and the items of the second', () => {
    const chained = fc.nat(9).chain((n) => fc.array(fc.nat(9), { minLength: n, maxLength: n }))
    expect(spansOf(chained, 2, 2, 7, 8)).toEqual(['x: 2 2 7 8', 'x.*: 2', 'x.+: 2 7 8', 'x.+.*: 7', 'x.+.*: 8'])
  })

  test('each try of a filter', () => {
    expect(
      spansOf(
        fc.nat(9).filter((n) => n > 5),
        1,
        2,
        8,
      ),
    ).toEqual(['x: 1 2 8', 'x.*: 1', 'x.*: 2', 'x.*: 8'])
  })

  test('the alternatives of an array of them; what maps adds no span', () => {
    const either = fc.array(fc.oneof(fc.nat(9).map(String), fc.nat(7)))
    expect(spansOf(either, 2, 1, 6, 0, 5)).toEqual(['x: 2 1 6 0 5', 'x.*: 1 6', 'x.*.1: 6', 'x.*: 0 5', 'x.*.0: 5'])
  })

  test('the nodes of a recursive structure, whatever their depth', () => {
    const labels = new Set<string>()
    for (let seed = 1; seed <= 200; seed++) {
      for (const { label } of generate(tree, byChance(seed)).record.spans) labels.add(label)
    }
    expect([...labels].sort()).toEqual(['x', 'x.0', 'x.1'])
  })

  test('commands', () => {
    const commands = fc.commands([fc.nat(9).map((n) => command(`push ${n}`)), fc.constant(command('pop'))])
    expect(spansOf(commands, 2, 0, 7, 1)).toEqual(['x: 2 0 7 1', 'x.+: 0 7', 'x.+.0: 7', 'x.+: 1'])
  })

  test('what is drawn after the input was generated', () => {
    const tape = new Tape(() => 3)
    const random = TapeRandom.over(tape, 'x')
    const stream = generateInput(fc.infiniteStream(fc.tuple(fc.nat(9), fc.nat(9))), random, 'x').value
    expect([...stream.take(1)]).toEqual([[3, 3]])
    expect(tape.record().spans.map(({ label }) => label)).toEqual(['x.…', 'x.…[0]', 'x.…[1]'])
  })
})

describe('whatever an arbitrary is made of', () => {
  test('frozen ones are drawn as others', () => {
    const frozen = Object.freeze(fc.array(Object.freeze(fc.nat(9))))
    expect(spansOf(frozen, 1, 7)).toEqual(['x: 1 7', 'x.*: 7'])
  })

  test("the parts of a user's own class have spans", () => {
    class Pair extends (Object.getPrototypeOf(Object.getPrototypeOf(fc.nat()))
      .constructor as new () => fc.Arbitrary<unknown>) {
      readonly arb = fc.nat(9)
      override generate(random: fc.Random) {
        return new fc.Value([this.arb.generate(random, undefined), this.arb.generate(random, undefined)], undefined)
      }
      override canShrinkWithoutContext = (_: unknown): _ is unknown => false
      override shrink = () => fc.Stream.nil<fc.Value<unknown>>()
    }
    expect(spansOf(new Pair(), 4, 5)).toEqual(['x: 4 5', 'x.*: 4', 'x.*: 5'])
  })

  test('an arbitrary that throws leaves no span open', () => {
    const failing = fc.array(
      fc.nat(9).map(() => {
        throw new Error('no')
      }),
    )
    const tape = new Tape(() => 3)
    expect(() => generateInput(failing, TapeRandom.over(tape, 'x'), 'x')).toThrow('no')
    expect(tape.record().spans.map(({ start, end }) => [start, end])).toEqual([
      [0, 2],
      [1, 2],
    ])
  })
})
