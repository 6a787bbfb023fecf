import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Choice, DEFAULT_KIND, LANES, type Lane } from '../../src/contract/choice.ts'
import { type Choices, essential, NO_CHOICES } from '../../src/contract/choices.ts'
import { chance } from '../../src/tape/chance.ts'
import { replaySource } from '../../src/tape/replay.ts'
import { type ChoiceSource, Tape } from '../../src/tape/tape.ts'
import { drawAgain } from './draw-again.ts'

interface Draw {
  readonly lane: Lane
  readonly label: string
  readonly min: number
  readonly width: number
  readonly big: boolean
}

const draw: fc.Arbitrary<Draw> = fc.record({
  lane: fc.constantFrom(...LANES),
  label: fc.constantFrom('a', 'b', 'c#1', ''),
  min: fc.integer({ min: -20, max: 20 }),
  width: fc.nat(50),
  big: fc.boolean(),
})

/** A program that draws, and whose later draws depend on the earlier ones. */
function run(script: readonly Draw[], source: ChoiceSource, length: number) {
  const tape = new Tape(source, length)
  let sum = 0n
  for (const { lane, label, min, width, big } of script) {
    const low = min + Number(sum % 7n)
    const value = big
      ? drawAgain(tape, lane, label, BigInt(low) * 2n ** 60n, BigInt(low + width) * 2n ** 60n)
      : drawAgain(tape, lane, label, low, low + width)
    sum += BigInt(value) < 0 ? -BigInt(value) : BigInt(value)
    if (tape.outOfEntropy && sum % 2n === 0n) break
  }
  return tape.record()
}

describe('replay is exact', () => {
  const scripts = fc.tuple(fc.array(draw, { maxLength: 40 }), fc.nat(), fc.nat(60))

  test('a record gives an equal record, with its length', () => {
    fc.assert(
      fc.property(scripts, ([script, seed, length]) => {
        const draws = chance(seed)
        const source: ChoiceSource = ({ min, max }) =>
          typeof min === 'bigint' ? draws.bigint(min, max as bigint) : draws.integer(min, max as number)
        const record = run(script, source, length)
        const { source: again, following } = replaySource(record)
        expect(run(script, again, record.length)).toEqual(record)
        expect(following.followed).toBe(following.recorded)
        // What is natural need not be kept in the lanes that replay by label.
        expect(run(script, replaySource(essential(record)).source, record.length)).toEqual(record)
      }),
      { seed: 1, numRuns: 300 },
    )
  })

  test('a record without choices gives the natural execution', () => {
    const record = run(
      [{ lane: 'input', label: 'a', min: 3, width: 9, big: false }],
      replaySource(NO_CHOICES).source,
      9,
    )
    expect(record.input[0]!.value).toBe(3)
  })
})

function choices(lanes: Partial<Choices>): Choices {
  return { ...NO_CHOICES, ...lanes }
}

function late(label: string, value: number, alias?: string): Choice {
  return { kind: 'latency', label, min: 0, max: 100, value, ...(alias === undefined ? {} : { alias }) }
}

function ask(source: ChoiceSource, lane: Lane, label: string, index: number, alias?: string) {
  return source({ lane, kind: DEFAULT_KIND[lane], label, index, min: 0, max: 100, alias })
}

test('the input replays by position, whatever the labels', () => {
  const { source } = replaySource(choices({ input: [late('x.0', 4), late('x.1', 5)] }))
  expect(ask(source, 'input', 'y.0', 1)).toBe(5)
  expect(ask(source, 'input', 'y.1', 0)).toBe(4)
  expect(ask(source, 'input', 'y.2', 2)).toBeUndefined()
})

describe('the schedule and the faults replay by label', () => {
  test.each(['schedule', 'fault'] as const)('%s: a choice stays with its operation when others disappear', (lane) => {
    const { source, following } = replaySource(choices({ [lane]: [late('a', 1), late('b', 2), late('c', 3)] }))
    expect(ask(source, lane, 'c', 0)).toBe(3)
    expect(ask(source, lane, 'new', 1)).toBeUndefined()
    expect(ask(source, lane, 'a', 2)).toBe(1)
    expect(following).toEqual({ recorded: 3, followed: 2 })
  })

  test('a label of one lane says nothing about another lane', () => {
    const { source } = replaySource(choices({ schedule: [late('a', 1)] }))
    expect(ask(source, 'fault', 'a', 0)).toBeUndefined()
  })
})

describe('where a label has moved, the alias finds its choice', () => {
  const recorded = choices({ schedule: [late('0:1 unlink effect', 7, 'unlink a 1'), late('0:2 open effect', 0)] })

  test('by what is done to what', () => {
    const { source, following } = replaySource(recorded)
    expect(ask(source, 'schedule', '0:4 unlink effect', 0, 'unlink a 1')).toBe(7)
    expect(following).toEqual({ recorded: 1, followed: 1 })
  })

  test('never twice', () => {
    const { source } = replaySource(recorded)
    expect(ask(source, 'schedule', '0:4 unlink effect', 0, 'unlink a 1')).toBe(7)
    expect(ask(source, 'schedule', '0:5 unlink effect', 1, 'unlink a 1')).toBeUndefined()
  })

  test('nor after its own label has found it', () => {
    const { source, following } = replaySource(recorded)
    expect(ask(source, 'schedule', '0:1 unlink effect', 0, 'unlink b 1')).toBe(7)
    expect(ask(source, 'schedule', '0:4 unlink effect', 1, 'unlink a 1')).toBeUndefined()
    expect(following.followed).toBe(1)
  })

  test('the label goes before the alias', () => {
    const { source } = replaySource(choices({ schedule: [late('x', 1, 'open b 1'), late('y', 2, 'open a 1')] }))
    expect(ask(source, 'schedule', 'x', 0, 'open a 1')).toBe(1)
  })
})

describe('where another operation has taken a label, looking by alias passes it over', () => {
  const recorded = choices({ schedule: [late('0:1 open effect', 7, 'open a 1'), late('0:2 timer', 3)] })

  test('and finds the one that was meant', () => {
    const { source, following } = replaySource(recorded, 'alias')
    expect(ask(source, 'schedule', '0:1 open effect', 0, 'open b 1')).toBeUndefined()
    expect(ask(source, 'schedule', '0:5 open effect', 1, 'open a 1')).toBe(7)
    expect(following).toEqual({ recorded: 2, followed: 1 })
  })

  test('while what has no alias is still found by its label', () => {
    expect(ask(replaySource(recorded, 'alias').source, 'schedule', '0:2 timer', 0)).toBe(3)
  })
})

test('what is essential is the whole input and what departs from natural elsewhere', () => {
  const record = choices({
    input: [late('x.0', 0), late('x.1', 5)],
    schedule: [late('a', 0), late('b', 2)],
    fault: [late('crash', 0)],
    length: 12,
  })
  expect(essential(record)).toEqual({
    input: [late('x.0', 0), late('x.1', 5)],
    schedule: [late('b', 2)],
    fault: [],
    length: 12,
  })
})
