import { describe, expect, test } from 'vitest'
import { bytesFor, bytesSource } from '../../src/tape/bytes.ts'
import { chance } from '../../src/tape/chance.ts'
import { replaySource } from '../../src/tape/replay.ts'
import { Tape } from '../../src/tape/tape.ts'
import { drawAgain } from './draw-again.ts'

function tapeOf(...bytes: number[]): Tape {
  const tape: Tape = new Tape(bytesSource(Uint8Array.from(bytes), () => tape.runOut()))
  return tape
}

const RANGES = [
  [0, 10],
  [-5, 5],
  [3, 9],
  [-9, -3],
  [-128, 127],
  [0, 300],
  [7, 7],
] as const

describe('a choice', () => {
  test.each(RANGES)('of %d..%d can be any value of it, and nothing else', (min, max) => {
    const reached = new Set<number>()
    for (let low = 0; low < 256; low++) {
      for (let high = 0; high < 4; high++) reached.add(tapeOf(low, high).draw('input', 'x', min, max))
    }
    expect([...reached].sort((a, b) => a - b)).toEqual(Array.from({ length: max - min + 1 }, (_, at) => min + at))
  })

  test.each(RANGES)('of %d..%d is natural where the bytes are zero, and where there are none', (min, max) => {
    const natural = new Tape(() => undefined).draw('input', 'x', min, max)
    expect(tapeOf(0, 0).draw('input', 'x', min, max)).toBe(natural)
    expect(tapeOf().draw('input', 'x', min, max)).toBe(natural)
  })

  test('takes as few bytes as its range fits into', () => {
    const ranges: [number | bigint, number | bigint][] = [
      [5, 5],
      [0, 1],
      [0, 255],
      [0, 256],
      [-(2 ** 31), 2 ** 31 - 1],
      [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
      [0n, 2n ** 64n - 1n],
      [0n, 2n ** 64n],
    ]
    expect(ranges.map(([min, max]) => bytesFor(min, max))).toEqual([0, 1, 1, 2, 4, 7, 8, 9])
  })

  test('of integers is read as fuzzers write them: the lowest byte first, in two’s complement', () => {
    const bytes = new Uint8Array(Int32Array.of(-2, 123_456_789, -(2 ** 31)).buffer)
    const tape = tapeOf(...bytes)
    const draw = () => drawAgain(tape, 'input', 'x', -(2 ** 31), 2 ** 31 - 1)
    expect([draw(), draw(), draw()]).toEqual([-2, 123_456_789, -(2 ** 31)])
    expect(tapeOf(254, ...Array(7).fill(255)).draw('input', 'x', -(2n ** 63n), 2n ** 63n - 1n)).toBe(-2n)
  })
})

describe('the lanes', () => {
  test('read from the two ends, so that what one of them takes does not shift the other', () => {
    const schedule = (inputs: number) => {
      const tape = tapeOf(1, 2, 3, 4, 5, 6, 7, 8)
      for (let at = 0; at < inputs; at++) tape.draw('input', `${at}`, 0, 255)
      return [0, 1, 2].map((at) => tape.draw('schedule', `${at}`, 0, 255))
    }
    expect(schedule(0)).toEqual([8, 7, 6])
    expect(schedule(4)).toEqual([8, 7, 6])
  })

  test('share the bytes: when they meet, the tape has run out', () => {
    const tape = tapeOf(1, 2, 3)
    const out = [tape.outOfEntropy]
    const drawn = [tape.draw('input', 'a', 0, 9), tape.draw('schedule', 'b', 0, 9)]
    out.push(tape.outOfEntropy)
    drawn.push(tape.draw('input', 'c', 0, 9))
    out.push(tape.outOfEntropy)
    drawn.push(tape.draw('input', 'd', 0, 9), tape.draw('schedule', 'e', 0, 9))
    expect(drawn).toEqual([1, 3, 2, 0, 0])
    expect(out).toEqual([false, false, true])
  })
})

test('any bytes make a tape, which its record replays: values, and where it ran out', () => {
  const draws = chance(11)
  for (let trial = 0; trial < 300; trial++) {
    const bytes = Array.from({ length: draws.integer(0, 40) }, () => draws.integer(0, 255))
    const program = (tape: Tape) =>
      Array.from({ length: 20 }, (_, at) => {
        const [min, max] = RANGES[(at + trial) % RANGES.length]!
        const value = tape.draw(at % 3 === 0 ? 'schedule' : 'input', `${at}`, min, max)
        expect(value).toBeGreaterThanOrEqual(min)
        expect(value).toBeLessThanOrEqual(max)
        return [value, tape.outOfEntropy]
      })
    const tape = tapeOf(...bytes)
    const first = program(tape)
    expect(program(tapeOf(...bytes))).toEqual(first)
    const record = tape.record()
    expect(program(new Tape(replaySource(record).source, record.length))).toEqual(first)
  }
})
