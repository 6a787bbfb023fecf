import { describe, expect, test } from 'vitest'
import { type Choice, isSimplest, LANES, type Lane } from '../../src/contract/choice.ts'
import { NO_CHOICES, UNBOUNDED } from '../../src/contract/choices.ts'
import { bytesSource } from '../../src/tape/bytes.ts'
import { chance } from '../../src/tape/chance.ts'
import { replaySource } from '../../src/tape/replay.ts'
import { type ChoiceSource, Tape } from '../../src/tape/tape.ts'
import { drawAgain } from './draw-again.ts'

/** A source with a sequence of its own for each lane, as the executor's. */
function laneSource(seed: number): ChoiceSource {
  const draws = Object.fromEntries(LANES.map((lane, index) => [lane, chance(seed, index)]))
  return ({ lane, min, max }) => draws[lane]!.integer(Number(min), Number(max))
}

describe('zero is natural', () => {
  const RANGES = [
    [0, 10, 0],
    [-5, 5, 0],
    [3, 9, 3],
    [-9, -3, -3],
    [1n, 2n ** 70n, 1n],
    [-(2n ** 70n), 2n ** 70n, 0n],
  ] as const

  test.each(RANGES)('a source without an opinion gives, of %s..%s, %s', (min, max, natural) => {
    expect(new Tape(() => undefined).draw<number | bigint>('input', 'x', min, max)).toBe(natural)
  })

  test.each(RANGES)('a source that says zero gives, of %s..%s, %s', (min, max, natural) => {
    expect(new Tape(() => 0).draw<number | bigint>('input', 'x', min, max)).toBe(natural)
  })

  test('unless the one who draws has something better where the source is silent', () => {
    const tape = new Tape(({ index }) => (index === 0 ? 7 : undefined), 2)
    const draw = (max: number) => tape.draw('input', `${tape.count('input')}`, 0, max, { otherwise: () => 5 })
    // The source speaks; it is silent; the tape ran out; what is better is still of the range.
    expect([draw(9), draw(9), draw(9), draw(3)]).toEqual([7, 5, 5, 3])
    expect(tape.record().input.map(({ value }) => value)).toEqual([7, 5, 5, 3])
  })
})

describe('what a source proposes is brought into the range', () => {
  test.each([
    [100, 0, 9, 9],
    [-100, -3, 9, -3],
    [2.6, 0, 9, 3],
    [-0.4, -3, 3, 0],
    [Number.NaN, 2, 9, 2],
    [Number.POSITIVE_INFINITY, 0, 9, 9],
    [7n, 0, 9, 7],
    [100n, 0n, 9n, 9n],
    [7.9, 0n, 9n, 7n],
    [Number.NaN, 0n, 9n, 0n],
  ] as const)('%s for %s..%s: %s', (proposed, min, max, value) => {
    const tape = new Tape(() => proposed)
    expect(tape.draw<number | bigint>('input', 'x', min, max)).toBe(value)
    expect(tape.record().input).toEqual([{ kind: 'value', label: 'x', min, max, value }])
  })

  test('an empty range is refused by the label of the choice', () => {
    expect(() => new Tape(() => 0).draw('input', 'count', 2, 1)).toThrow(
      new RangeError('choice "count" has an empty range: 2..1'),
    )
  })
})

test('lanes do not shift each other', () => {
  const values = (lanes: readonly Lane[], watched: Lane) => {
    const tape = new Tape(laneSource(1))
    for (const lane of lanes) drawAgain(tape, lane, 'x', 0, 1000)
    return tape.record()[watched].map(({ value }) => value)
  }
  const alone = values(['input', 'input', 'input'], 'input')
  expect(values(['schedule', 'input', 'fault', 'fault', 'input', 'schedule', 'input'], 'input')).toEqual(alone)
  const request: unknown[] = []
  const tape = new Tape(({ lane, index }) => void request.push([lane, index]))
  for (const lane of ['input', 'schedule', 'input', 'fault', 'schedule'] as const) tape.draw(lane, 'x', 0, 1)
  expect(request).toEqual([
    ['input', 0],
    ['schedule', 0],
    ['input', 1],
    ['fault', 0],
    ['schedule', 1],
  ])
})

describe('a tape that ran out', () => {
  test('says so, and gives natural values without asking the source, over all lanes in the order drawn', () => {
    let asked = 0
    const tape = new Tape(() => ++asked, 3)
    const said: [boolean, number][] = []
    for (const lane of ['input', 'schedule', 'fault', 'input', 'schedule'] as const) {
      said.push([tape.outOfEntropy, drawAgain(tape, lane, 'x', 0, 9)])
    }
    expect(said).toEqual([
      [false, 1],
      [false, 2],
      [false, 3],
      [true, 0],
      [true, 0],
    ])
    expect(asked).toBe(3)
    expect(tape.record().length).toBe(3)
  })

  test('one of length zero is out from the start; one without a length never is', () => {
    expect(new Tape(() => 1, 0).outOfEntropy).toBe(true)
    const tape = new Tape(() => 1)
    for (let draw = 0; draw < 1000; draw++) drawAgain(tape, 'input', 'x', 0, 1)
    expect(tape.outOfEntropy).toBe(false)
    expect(tape.record().length).toBe(UNBOUNDED)
  })
})

test('while muted it gives natural values, records nothing and spends nothing', () => {
  const tape = new Tape(() => 1, 1)
  tape.muted = true
  expect(tape.draw('schedule', 'x', 0, 9)).toBe(0)
  tape.muted = false
  expect(tape.draw('schedule', 'x', 0, 9)).toBe(1)
  expect(tape.count('schedule')).toBe(1)
})

test('whoever listens is told of each choice before the program sees it', () => {
  const heard: [Lane, Choice][] = []
  const tape = new Tape(
    () => 4,
    UNBOUNDED,
    (lane, choice) => heard.push([lane, choice]),
  )
  tape.draw('fault', 'crash', 0, 9, { alias: 'crash of a' })
  expect(heard).toEqual([['fault', { kind: 'fault', label: 'crash', min: 0, max: 9, value: 4, alias: 'crash of a' }]])
})

describe('spans', () => {
  test('hold the choices that were drawn inside, in their lane, nested or not', () => {
    const tape = new Tape(() => 1)
    const draw = (lane: Lane = 'input') => drawAgain(tape, lane, 'x', 0, 1)
    draw()
    tape.span('input', 'pair', () => {
      tape.span('input', 'left', draw)
      draw('schedule')
      tape.span('input', 'right', () => draw() + draw())
    })
    expect(tape.record().spans).toEqual([
      { lane: 'input', label: 'pair', start: 1, end: 4 },
      { lane: 'input', label: 'left', start: 1, end: 2 },
      { lane: 'input', label: 'right', start: 2, end: 4 },
    ])
  })

  test('end where their action threw', () => {
    const tape = new Tape(() => 1)
    const failing = () => {
      tape.draw('input', 'x', 0, 1)
      throw new Error('no')
    }
    expect(() => tape.span('input', 'failing', failing)).toThrow('no')
    expect(tape.record().spans).toEqual([{ lane: 'input', label: 'failing', start: 0, end: 1 }])
  })
})

test('a record is a copy: later draws do not change it', () => {
  const tape = new Tape(() => 1)
  const before = tape.record()
  tape.draw('input', 'x', 0, 1)
  expect(before.input).toEqual([])
  expect(tape.record().input.every(isSimplest)).toBe(false)
})

test('an omission is drawn only where a record has it', () => {
  const omission: Choice = { kind: 'omission', label: 'request 1 left out', min: 0, max: 1, value: 1 }
  const recorded = new Tape(replaySource({ ...NO_CHOICES, schedule: [omission] }).source)
  expect([0, 1].map((at) => recorded.omits(`request ${at} left out`))).toEqual([false, true])
  expect(recorded.record().schedule).toEqual([omission])
  const empty = new Tape(bytesSource(new Uint8Array([1, 1, 1]), () => {}))
  expect(empty.omits('request 1 left out')).toBe(false)
  expect(empty.record().schedule).toEqual([])
  expect(empty.draw('schedule', 'x', 0, 255)).toBe(1)
})
