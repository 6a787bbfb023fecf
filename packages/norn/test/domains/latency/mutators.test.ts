/** The laws that every mutator keeps, over thousands of drafts drawn by chance. */
import { inspect } from 'node:util'
import { describe, expect, test } from 'vitest'
import { type Choice, LANES } from '../../../src/contract/choice.ts'
import type { TapeRecord } from '../../../src/contract/choices.ts'
import type { Moment, Operand } from '../../../src/contract/observation.ts'
import { LATENCY_MUTATORS, type LatencyMaterial } from '../../../src/domains/latency/latency-mutators.ts'
import { Timeline } from '../../../src/domains/latency/timeline.ts'
import { Dictionary } from '../../../src/search/dictionary.ts'
import { INPUT_MUTATORS } from '../../../src/search/input-mutators.ts'
import { AIMED, type Draft, FREE, Mutation, type Mutator } from '../../../src/search/mutation.ts'
import { type Chance, chance } from '../../../src/tape/chance.ts'
import { Tape } from '../../../src/tape/tape.ts'
import { drawLatency, entryOf, recordOf } from '../../search/observation.ts'
import { drawAgain } from '../../tape/draw-again.ts'

const ALL: readonly Mutator<LatencyMaterial>[] = [...INPUT_MUTATORS, ...LATENCY_MUTATORS]
const SEEDS = 400

/** Ranges of both types: a single value, a narrow one, negative ones, the widest. */
const RANGES: readonly (readonly [number, number] | readonly [bigint, bigint])[] = [
  [5, 5],
  [0, 1],
  [-10, -3],
  [-7, 1000],
  [0, 0x1f_ffff_ffff_ffff],
  [-0x1f_ffff_ffff_ffff, 0x1f_ffff_ffff_ffff],
  [0n, 0n],
  [-5n, 5n],
  [-(2n ** 100n), 2n ** 100n],
]

function drawIn(tape: Tape, [min, max]: (typeof RANGES)[number]): number | bigint {
  return drawAgain<number | bigint>(tape, 'input', 'value', min, max)
}

interface Recorded {
  readonly record: TapeRecord
  readonly products: Tape['products']
  readonly moments: readonly Moment[]
}

const RECORDED = new Map<number, Recorded>()

/**
 * A record as a program with nested spans leaves it, with what was made of its choices and when
 * things came.
 */
function recorded(seed: number): Recorded {
  const known = RECORDED.get(seed)
  if (known !== undefined) return known
  const draws = chance(seed)
  const tape = new Tape(({ min, max }) => draws.bigint(BigInt(min), BigInt(max)))
  tape.keepProducts()
  const items = draws.coin(0.1) ? 0 : draws.integer(1, 6)
  if (items > 0) tape.draw('input', 'length', 0, 10)
  for (let at = 0; at < items; at++) {
    tape.span('input', 'item', () => {
      const start = tape.count('input')
      const made = [drawIn(tape, RANGES[draws.integer(0, RANGES.length - 1)]!)]
      if (draws.coin(0.5)) tape.span('input', 'part', () => drawIn(tape, RANGES[draws.integer(0, 3)]!))
      tape.produced(start, draws.coin(0.5) ? String.fromCharCode(97 + Number(BigInt(made[0]!) & 15n)) : made[0])
    })
  }
  const points = draws.coin(0.1) ? 0 : draws.integer(1, 8)
  for (let at = 0; at < points; at++) {
    const point = ['effect', 'callback', 'timer'][draws.integer(0, 2)]
    drawLatency(tape, `0/${draws.integer(0, 2)}.1:${at} write ${point}`, draws.coin(0.1) ? 0 : 20_000)
  }
  for (let at = draws.integer(0, 2); at > 0; at--) tape.draw('fault', `0:${at} write`, 0, draws.integer(0, 5))
  const record = tape.record()
  let atUs = 0
  const moments = record.schedule.map(({ subject }): Moment => {
    const { step, chain, point } = subject!
    return {
      step,
      chain,
      point: point as Moment['point'],
      atUs: (atUs += draws.integer(0, 300)),
      dueUs: atUs - draws.integer(0, 100),
    }
  })
  const made = { record, products: tape.products, moments }
  RECORDED.set(seed, made)
  return made
}

/** Knows what some of the records are made of. */
const DICTIONARY = new Dictionary()
for (let seed = 0; seed < 200; seed++) DICTIONARY.learn(recorded(seed).record.input, recorded(seed).products)

function materialOf(seed: number): { draft: Draft; material: LatencyMaterial } {
  const draws = chance(seed, 1)
  const { record, products, moments } = recorded(seed)
  const other = recorded(seed + 1)
  const near = Array.from({ length: 20 }, (_, at) => recorded((seed + at) % 200).products)
  const values: Operand[] = [...products, ...near.flat()].map(({ value }) => value)
  values.push(3, -4n, 'ab', true, null, undefined, Number.NaN, 2 ** 60, '17', 'x')
  const one = () => values[draws.integer(0, values.length - 1)]
  const operands = Array.from({ length: draws.integer(0, 6) }, () => ({ left: one(), right: one() }))
  const { schedule } = record
  const place =
    schedule.length > 0 && draws.coin(0.5)
      ? { lane: 'schedule' as const, index: draws.integer(0, schedule.length + 3) }
      : undefined
  const index: LatencyMaterial['index'] = (_, count) => draws.integer(0, count - 1)
  return {
    draft: draftOf(record),
    material: {
      chance: draws,
      other: other.record,
      operands,
      products,
      dictionary: DICTIONARY,
      timeline: new Timeline(moments),
      place,
      index,
    },
  }
}

function draftOf({ input, schedule, fault, length, spans }: TapeRecord): Draft {
  const ofInput = spans.filter(({ lane }) => lane === 'input')
  return { input: [...input], schedule: [...schedule], fault: [...fault], length, spans: ofInput }
}

function expectInRange(choice: Choice): void {
  const { min, max, value } = choice
  const isWhole = typeof value === 'bigint' || Number.isSafeInteger(value)
  if (!isWhole || typeof value !== typeof min || value < min || value > max) expect.fail(inspect(choice))
}

/** Calls a mutator on many drafts, where its lane has something in it. */
function each(mutator: Mutator, visit: (before: Draft, after: Draft, place: number | undefined) => void): void {
  for (let seed = 0; seed < SEEDS; seed++) {
    const { draft, material } = materialOf(seed)
    if (draft[mutator.lane].length === 0) continue
    const before: Draft = { ...draft, input: [...draft.input], schedule: [...draft.schedule], fault: [...draft.fault] }
    visit(before, draft, mutator.mutate(draft, material))
  }
}

describe.each(ALL.map((mutator) => [`${mutator.lane}: ${mutator.name}`, mutator] as const))('%s', (_, mutator) => {
  test('keeps every value in its range, and of its type', () => {
    each(mutator, (_, { input, schedule, fault }) => [...input, ...schedule, ...fault].forEach(expectInRange))
  })

  test('leaves spans that lie on the draft, within one another or apart', () => {
    each(mutator, (_, { spans, input }) => {
      for (const [at, { start, end }] of spans.entries()) {
        const isOn = 0 <= start && start < end && end <= input.length
        if (!isOn || spans.slice(at + 1).some((later) => later.start < end && later.end > end))
          expect.fail(inspect(spans))
      }
    })
  })

  test('changes nothing before the place that it gives, and something if it gives one; other lanes stay as they were', () => {
    let changed = 0
    each(mutator, (before, after, place) => {
      for (const lane of LANES) if (lane !== mutator.lane) expect(after[lane]).toEqual(before[lane])
      const first = firstChange(before[mutator.lane], after[mutator.lane])
      expect(place === undefined).toBe(first === undefined)
      if (place === undefined) return
      expect(place).toBeLessThanOrEqual(first!)
      changed++
    })
    expect(changed).toBeGreaterThan(SEEDS / 100)
  })

  test('does the same again with the same chances', () => {
    const run = () => {
      const drafts: unknown[] = []
      each(mutator, (_, after, place) => drafts.push([{ ...after }, place]))
      return drafts
    }
    expect(run()).toEqual(run())
  })
})

/** Where two lanes begin to differ: in a value, or in that one of them ends. */
function firstChange(before: readonly Choice[], after: readonly Choice[]): number | undefined {
  for (let at = 0; at < Math.max(before.length, after.length); at++) {
    if (before[at]?.value !== after[at]?.value || before[at]?.max !== after[at]?.max) return at
  }
  return undefined
}

describe('stacked', () => {
  const mutants = (mutation: Mutation<LatencyMaterial>, draws: Chance, count: number) =>
    Array.from({ length: count }, (_, seed) => {
      const { record, products, moments } = recorded(seed)
      const { material } = materialOf(seed)
      const entry = entryOf(record, { products, timeline: new Timeline(moments), operands: material.operands })
      const mutant = mutation.mutate(record, { ...entry, ...material, place: { lane: 'input', index: 3 } }, draws)
      mutation.judge(mutant.mutators, seed % 3 === 0)
      return { record, mutant }
    })

  test.each([
    ['free', FREE],
    ['aimed', AIMED],
  ] as const)('%s: every value is in its range, and the place on the tape', (_, style) => {
    for (const { mutant } of mutants(new Mutation(style, ALL), chance(1), SEEDS)) {
      const { input, schedule, fault } = mutant.choices
      for (const choice of [...input, ...schedule, ...fault]) expectInRange(choice)
      expect(mutant.mutators.length > 0).toBe(mutant.place !== undefined)
      if (mutant.place !== undefined)
        expect(mutant.place.index).toBeLessThanOrEqual(mutant.choices[mutant.place.lane].length)
    }
  })

  test('the parent is never written to', () => {
    for (const { record, mutant } of mutants(new Mutation(FREE, ALL), chance(2), 200)) {
      for (const lane of LANES) expect(mutant.choices[lane]).not.toBe(record[lane])
    }
    const frozen = Object.freeze(recorded(3).record)
    for (const lane of LANES) frozen[lane].forEach(Object.freeze)
    const copy = structuredClone(frozen)
    const { material } = materialOf(3)
    const draws = chance(3)
    for (let n = 0; n < 500; n++) new Mutation(FREE, ALL).mutate(frozen, { ...entryOf(frozen), ...material }, draws)
    expect(frozen).toEqual(copy)
  })

  test('the mutants are a function of the records, the counts and the chances', () => {
    const run = (seed: number) => mutants(new Mutation(FREE, ALL), chance(seed), 300).map(({ mutant }) => mutant)
    expect(run(1)).toEqual(run(1))
    expect(run(1)).not.toEqual(run(2))
  })

  test('a record without choices has a mutant without', () => {
    const { material } = materialOf(1)
    const empty = recordOf({})
    for (let seed = 0; seed < 50; seed++) {
      const mutant = new Mutation(FREE, ALL).mutate(empty, { ...entryOf(empty), ...material }, chance(seed))
      expect(mutant).toMatchObject({ choices: { input: [], schedule: [], fault: [] }, place: undefined, mutators: [] })
    }
  })

  test('what pays gets more turns, and nothing is given up', () => {
    const mutation = new Mutation(FREE, ALL)
    const draws = chance(4)
    const counts = new Map(ALL.map((mutator) => [mutator, 0]))
    for (let n = 0; n < 6000; n++) {
      const { record, products, moments } = recorded(n % 50)
      const { material } = materialOf(n % 50)
      const entry = entryOf(record, { products, timeline: new Timeline(moments), operands: material.operands })
      const { mutators } = mutation.mutate(record, { ...entry, ...material }, draws)
      if (n > 3000) for (const mutator of mutators) counts.set(mutator, counts.get(mutator)! + 1)
      mutation.judge(
        mutators,
        mutators.some(({ lane, name }) => lane === 'schedule' && name === 'scale'),
      )
    }
    const best = [...counts].sort(([, a], [, b]) => b - a)[0]![0]
    expect(best).toMatchObject({ lane: 'schedule', name: 'scale' })
    for (const [{ name }, count] of counts)
      if (name === 'redraw' || name === 'redraw tail') expect(count).toBeGreaterThan(0)
  })
})
