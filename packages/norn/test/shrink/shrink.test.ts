import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isSimplest } from '../../src/contract/choice.ts'
import { type Choices, NO_CHOICES } from '../../src/contract/choices.ts'
import type { ExecutionResult } from '../../src/contract/execution.ts'
import { fingerprint } from '../../src/contract/fingerprint.ts'
import { subjectOf } from '../../src/contract/subject.ts'
import { latencyDomain } from '../../src/domains/latency/domain.ts'
import { compare } from '../../src/shrink/simplicity.ts'
import type { Tape } from '../../src/tape/tape.ts'
import { choice, drawArray, FakeExecutor, type FakeProgram, replayOf } from '../search/fake.ts'

async function shrunkFrom(program: FakeProgram, start: Partial<Choices>, expired = () => false) {
  const executor = new FakeExecutor(program)
  const plan = replayOf(start)
  const failing = await executor.execute(plan)
  expect(failing.verdict).toBe('failed')
  const { result, summary } = await latencyDomain.shrink(executor, plan.input, failing, expired)
  return { executor, failing, result, summary, choices: result.choices! }
}

const input = (...values: number[]) => values.map((value, index) => choice(`${index}`, value))

/** Operations of a schedule, by name, each as late as said. */
const schedule = (late: Record<string, number>) => Object.entries(late).map(([label, value]) => choice(label, value))

const lateOnes = (result: ExecutionResult) =>
  Object.fromEntries(result.choices!.schedule.filter((c) => !isSimplest(c)).map(({ label, value }) => [label, value]))

const values = ({ choices }: ExecutionResult) => choices!.input.map(({ value }) => value)

function fail(condition: boolean, message = 'failed'): void {
  if (condition) throw new Error(message)
}

test('a failure whose message lists the values is the same with fewer of them', async () => {
  const program: FakeProgram = (tape) => {
    const items = drawArray(tape, 50)
    fail(
      items.some((item) => item >= 30),
      `values: ${items}`,
    )
  }
  const { result } = await shrunkFrom(program, { input: input(4, 7, 3, 41, 2) })
  expect(result.failure!.message).toBe('values: 30')
})

test('a large input is cut before its parts are looked at, however little time there is', async () => {
  const program: FakeProgram = (tape) => fail(drawArray(tape, 50, 5000).includes(7))
  const large = Array.from({ length: 4000 }, (_, index) => (index === 2345 ? 7 : 8))
  let attempts = 0
  const { result } = await shrunkFrom(program, { input: input(4000, ...large) }, () => ++attempts > 200)
  expect(values(result).length).toBeLessThan(20)
})

describe('schedules: as few late operations as explain the failure', () => {
  const OPERATIONS = Array.from({ length: 60 }, (_, index) => `op${index}`)
  const allLate = schedule(Object.fromEntries(OPERATIONS.map((label, index) => [label, 15_000 + index])))
  const draw = (tape: Tape) => new Map(OPERATIONS.map((label) => [label, tape.draw('schedule', label, 0, 20_000)]))

  test('one late operation of many is found, at its threshold', async () => {
    const { result } = await shrunkFrom((tape) => fail(draw(tape).get('op37')! >= 1234), { schedule: allLate })
    expect(lateOnes(result)).toEqual({ op37: 1234 })
  })

  test('two that have to be late together', async () => {
    const program: FakeProgram = (tape) => {
      const late = draw(tape)
      fail(late.get('op3')! >= 100 && late.get('op58')! > late.get('op3')!)
    }
    const { result } = await shrunkFrom(program, { schedule: allLate })
    expect(lateOnes(result)).toEqual({ op3: 100, op58: 101 })
  })

  test('two that have to keep their distance are lowered together, in few executions', async () => {
    const program: FakeProgram = (tape) => {
      const late = draw(tape)
      const [first, second] = [late.get('op3')!, late.get('op58')!]
      fail(first >= 40 && second - first >= 100 && second - first < 110)
    }
    const { result, summary } = await shrunkFrom(program, { schedule: schedule({ op3: 9000, op58: 9105 }) })
    expect(lateOnes(result)).toEqual({ op3: 40, op58: 140 })
    expect(summary.complete).toBe(true)
  })

  test('one that alone and very late does what two did together', async () => {
    const program: FakeProgram = (tape) => {
      const late = draw(tape)
      fail(late.get('op3')! + late.get('op9')! >= 16_000)
    }
    const { result } = await shrunkFrom(program, { schedule: schedule({ op3: 9000, op9: 9000 }) })
    expect(Object.values(lateOnes(result))).toEqual([16_000])
  })

  test('one that has to be late by a certain time, where others did the same together', async () => {
    const program: FakeProgram = (tape) => {
      const late = draw(tape)
      const together = [1, 2, 3, 4].every((at) => late.get(`op${at}`)! >= 15_000 && late.get('op50')! >= 15_000)
      fail(together || (late.get('op9')! >= 200 && late.get('op9')! < 280))
    }
    const { result } = await shrunkFrom(program, { schedule: allLate })
    expect(lateOnes(result)).toEqual({ op9: 200 })
  })

  test('faults are as expensive as late operations, and go first where they are not needed', async () => {
    const program: FakeProgram = (tape) => {
      const crashed = tape.draw('fault', 'crash', 0, 1) === 1
      const lost = tape.draw('fault', 'loss', 0, 1) === 1
      const late = tape.draw('schedule', 'op', 0, 20_000)
      fail(lost && (crashed || late >= 0))
    }
    const { choices } = await shrunkFrom(program, {
      fault: [choice('crash', 1, 1), choice('loss', 1, 1)],
      schedule: schedule({ op: 50 }),
    })
    expect(choices.fault.map(({ value }) => value)).toEqual([0, 1])
    expect(choices.schedule.every(isSimplest)).toBe(true)
  })

  const faulted = (...values: number[]) => values.map((value, index) => choice(`call${index}`, value, 20))
  const drawFaults = (tape: Tape) => Array.from({ length: 8 }, (_, index) => tape.draw('fault', `call${index}`, 0, 20))

  test('of many faults the one that is needed stays, as simple as it can be', async () => {
    const program: FakeProgram = (tape) => fail(drawFaults(tape)[5]! >= 3)
    const { choices } = await shrunkFrom(program, { fault: faulted(1, 20, 0, 7, 0, 19, 2, 4) })
    expect(choices.fault.map(({ value }) => value)).toEqual([0, 0, 0, 0, 0, 3, 0, 0])
  })

  test('a failure that a late operation brings about too shrinks to no fault', async () => {
    const program: FakeProgram = (tape) => {
      const faults = drawFaults(tape)
      fail(faults[2]! > 0 || draw(tape).get('op41')! >= 700)
    }
    const { choices, result } = await shrunkFrom(program, { fault: faulted(0, 0, 4), schedule: [] })
    expect(choices.fault.every(isSimplest)).toBe(true)
    expect(lateOnes(result)).toEqual({ op41: 700 })
  })

  test('one fault alone is found where two and a late operation were', async () => {
    const program: FakeProgram = (tape) => {
      const faults = drawFaults(tape)
      const late = draw(tape)
      fail((faults[1]! > 0 && faults[6]! > 0 && late.get('op3')! > 100) || Number(faults[4]) === 2)
    }
    const { choices, result } = await shrunkFrom(program, {
      fault: faulted(0, 5, 0, 0, 0, 0, 9),
      schedule: schedule({ op3: 5000 }),
    })
    expect(choices.fault.map(({ value }) => value)).toEqual([0, 0, 0, 0, 2, 0, 0, 0])
    expect(lateOnes(result)).toEqual({})
  })

  test('nothing at all, if nothing was needed', async () => {
    const { choices } = await shrunkFrom(
      (tape) => {
        draw(tape)
        fail(true)
      },
      { schedule: allLate, length: 500 },
    )
    expect(choices.schedule.every(isSimplest)).toBe(true)
    expect(choices.length).toBe(0)
  })
})

describe('inputs: the shortest, then the simplest', () => {
  test.each([
    ['an integer', 0, 1_000_000, 777_777, 1234, (x: number) => x >= 1234],
    ['an integer that must be negative', -1_000_000, 1_000_000, -999, -50, (x: number) => x <= -50],
    ['an integer whose sign does not matter', -1000, 1000, -900, 17, (x: number) => Math.abs(x) >= 17],
    ['an integer of a range above zero', 100, 1000, 900, 250, (x: number) => x >= 250],
    ['an integer of a range below zero', -1000, -100, -900, -250, (x: number) => x <= -250],
  ])('a threshold is found exactly: %s', async (_, min, max, start, least, fails) => {
    const program: FakeProgram = (tape) => fail(fails(tape.draw('input', 'x', min, max)))
    const { result } = await shrunkFrom(program, {
      input: [{ kind: 'value' as const, label: 'x', min, max, value: start }],
    })
    expect(values(result)).toEqual([least])
  })

  test('a threshold is found exactly: a bigint', async () => {
    const max = 2n ** 100n
    const program: FakeProgram = (tape) => fail(tape.draw('input', 'x', -max, max) >= 2n ** 70n + 5n)
    const { result } = await shrunkFrom(program, {
      input: [{ kind: 'value' as const, label: 'x', min: -max, max, value: max - 1n }],
    })
    expect(values(result)).toEqual([2n ** 70n + 5n])
  })

  const LONG = [42, ...Array.from({ length: 40 }, (_, index) => 7 + ((index * 31) % 90)), 50, 50]

  test.each<[string, number[], (list: number[]) => boolean]>([
    ['a length', [3, 0, 0, 0], (list) => list.length >= 3],
    ['one element above a threshold', [1, 50], (list) => list.some((n) => n >= 50)],
    ['an order', [2, 1, 0], (list) => list.some((n, index) => index > 0 && list[index - 1]! > n)],
    ['a duplicate', [2, 0, 0], (list) => new Set(list).size < list.length],
    ['an even number of elements, not none', [2, 0, 0], (list) => list.length > 0 && list.length % 2 === 0],
    [
      'three elements above different thresholds',
      [3, 20, 20, 60],
      (list) => {
        const large = list.filter((n) => n >= 20)
        return large.length >= 3 && large.some((n) => n >= 60)
      },
    ],
  ])('an array: %s', async (_, least, fails) => {
    const { result } = await shrunkFrom((tape) => fail(fails(drawArray(tape, 99))), { input: input(...LONG) })
    expect(values(result)).toEqual(least)
  })

  test('an array whose sum matters: as few elements as make it, the last as large as it goes', async () => {
    const sum = (list: number[]) => list.reduce((total, n) => total + n, 0)
    const { result } = await shrunkFrom((tape) => fail(sum(drawArray(tape, 99)) >= 150), { input: input(...LONG) })
    expect(values(result)).toEqual([2, 51, 99])
  })

  test('arrays in an array', async () => {
    const program: FakeProgram = (tape) => {
      const outer = Array.from({ length: tape.draw('input', 'outer', 0, 10) }, () => drawArray(tape, 99, 10))
      fail(outer.some((inner) => inner.length >= 2 && inner.includes(9)))
    }
    const start = input(3, 2, 40, 41, 4, 50, 9, 51, 52, 1, 60)
    const { result } = await shrunkFrom(program, { input: start })
    expect(values(result)).toEqual([1, 2, 0, 9])
  })

  test('an input that was given is left as it is', async () => {
    const executor = new FakeExecutor((tape) => fail(tape.draw('input', 'x', 0, 9) >= 0 && late(tape) >= 5))
    const late = (tape: Tape) => tape.draw('schedule', 'op', 0, 9)
    const plan = replayOf({ input: [choice('x', 7, 9)], schedule: [choice('op', 9, 9)] })
    const failing = await executor.execute(plan)
    const { result } = await latencyDomain.shrink(executor, { from: 'example', index: 0 }, failing, () => false)
    expect(executor.plans.slice(1).every((tried) => tried.input.from === 'example')).toBe(true)
    expect(lateOnes(result)).toEqual({ op: 5 })
  })
})

describe('input and schedule shrink together', () => {
  test('the schedule first, which explains; the delay goes to the operation with the least', async () => {
    const program: FakeProgram = (tape) => {
      const amounts = drawArray(tape, 99)
      const late = amounts.map((_, index) => tape.draw('schedule', `deposit ${index}`, 0, 20_000))
      fail(amounts.length >= 2 && late.some((us, index) => us >= 50 * (index + 1)))
    }
    const start = { input: input(5, 80, 81, 82, 83, 84), schedule: schedule({ 'deposit 2': 8000, 'deposit 4': 9000 }) }
    const { result } = await shrunkFrom(program, start)
    expect(values(result)).toEqual([2, 0, 0])
    expect(lateOnes(result)).toEqual({ 'deposit 0': 50 })
  })

  const writeOf = (index: number) => `0/${index}.1:1 write effect`
  const writes = (late: Record<number, number>) =>
    schedule(Object.fromEntries(Object.entries(late).map(([index, us]) => [writeOf(Number(index)), us])))
  const drawWrite = (tape: Tape, index: number) => {
    const label = writeOf(index)
    return tape.draw('schedule', label, 0, 20_000, { subject: subjectOf('latency', label) })
  }

  test('a part goes though the delayed operation is of a later part: the delays move with their operations', async () => {
    const program: FakeProgram = (tape) => {
      const list = drawArray(tape, 99)
      const late = list.map((_, index) => drawWrite(tape, index))
      // Neither of the two parts that are needed can be delayed in place of the other.
      const [first, second] = [list.indexOf(7), list.indexOf(5)]
      fail(0 <= first && first < second && late[first]! >= 60 && late[second]! >= 3 * late[first]!)
    }
    const start = { input: input(6, 9, 7, 9, 9, 5, 9), schedule: writes({ 1: 80, 4: 900 }) }
    const { result } = await shrunkFrom(program, start)
    expect(values(result)).toEqual([2, 7, 5])
    expect(lateOnes(result)).toEqual({ [writeOf(0)]: 60, [writeOf(1)]: 180 })
  })

  test('a gap is lowered while the delay that fits it grows or shrinks', async () => {
    for (const sign of [1, -1]) {
      const program: FakeProgram = (tape) => {
        const gap_us = 1000 * tape.draw('input', 'gap', 0, 5)
        const apart_us = drawWrite(tape, 0) + sign * gap_us
        fail(apart_us >= 7000 && apart_us < 7020)
      }
      const start = { input: input(4), schedule: writes({ 0: 7010 - sign * 4000 }) }
      const { result } = await shrunkFrom(program, start)
      expect(values(result)).toEqual([0])
      expect(lateOnes(result)).toEqual({ [writeOf(0)]: 7000 })
    }
  })

  test('a gap grows if that takes the place of a delay', async () => {
    const program: FakeProgram = (tape) => fail(1000 * tape.draw('input', 'gap', 0, 9) + drawWrite(tape, 0) >= 5400)
    const { result } = await shrunkFrom(program, { input: input(2), schedule: writes({ 0: 3900 }) })
    expect(values(result)).toEqual([6])
    expect(lateOnes(result)).toEqual({})
  })

  test('of two operations that can be delayed, the one with the shorter delay; of equal ones the first', async () => {
    const program: FakeProgram = (tape) => {
      const late = Array.from({ length: 9 }, (_, index) => drawWrite(tape, index))
      fail(late[2]! >= 168 || (late[5]! >= 30 && late[5]! < 45) || (late[7]! >= 30 && late[7]! < 45))
    }
    const { result } = await shrunkFrom(program, { schedule: writes({ 2: 9000 }) })
    expect(lateOnes(result)).toEqual({ [writeOf(5)]: 30 })
  })
})

test('two parts that change together, as no single change does', async () => {
  const program: FakeProgram = (tape) => {
    const [a, b] = ['a', 'b'].map((label): number => tape.draw('input', label, 0, 9))
    fail((a === 6 && b === 8) || (a === 2 && b === 3))
  }
  const { result } = await shrunkFrom(program, { input: [choice('a', 6, 9), choice('b', 8, 9)] })
  expect(values(result)).toEqual([2, 3])
})

describe('whatever is shrunk', () => {
  const program: FakeProgram = (tape) => {
    const list = drawArray(tape, 30, 8)
    const late = list.map((_, index) => tape.draw('schedule', `op${index}`, 0, 1000))
    const product = list.reduce((sum, n, index) => sum + n * (1 + (late[index]! > 300 ? 3 : 0)), 0)
    fail(product % 17 === 3, 'three')
    fail(product % 17 === 5, 'five')
    fail(late.filter((us) => us > 500).length > 4, 'late')
  }
  const starts = fc.record({
    input: fc.array(fc.nat(30), { minLength: 9, maxLength: 9 }).map(([length, ...rest]) => input(length! % 9, ...rest)),
    schedule: fc.array(fc.nat(1000), { maxLength: 8 }).map((late) => late.map((us, i) => choice(`op${i}`, us, 1000))),
    length: fc.integer({ min: 0, max: 40 }),
  })

  /** Each choice alone one step lower, and each delay left out. */
  function* lowered({ input: drawn, schedule: delays }: Choices): Generator<Partial<Choices>> {
    for (const [at, { value }] of drawn.entries())
      if (value > 0) yield { input: drawn.with(at, { ...drawn[at]!, value: Number(value) - 1 }), schedule: delays }
    for (const [at, { value }] of delays.entries()) {
      if (value === 0) continue
      yield { input: drawn, schedule: delays.toSpliced(at, 1) }
      yield { input: drawn, schedule: delays.with(at, { ...delays[at]!, value: Number(value) - 1 }) }
    }
  }

  test('the result fails in the same way, is the simplest that was seen to, is 1-minimal, and replays', async () => {
    const check = async (start: Partial<Choices>) => {
      const first = await new FakeExecutor(program).execute(replayOf(start))
      fc.pre(first.verdict === 'failed')
      const { executor, failing, result, summary } = await shrunkFrom(program, start)
      const same = (other: ExecutionResult) =>
        other.verdict === 'failed' && fingerprint(other.failure!) === fingerprint(failing.failure!)
      expect(same(result)).toBe(true)
      for (const seen of executor.results.filter(same)) {
        expect(compare(result.choices!, seen.choices!)).toBeLessThanOrEqual(0)
      }
      expect(summary.complete).toBe(true)
      for (const candidate of lowered(result.choices!)) {
        expect(same(await executor.execute(replayOf(candidate)))).toBe(false)
      }
      expect(summary.improvements > 0).toBe(compare(result.choices!, failing.choices!) < 0)
      const again = await shrunkFrom(program, result.choices!)
      expect(again.choices).toEqual(result.choices)
      expect((await executor.execute(replayOf(result.choices!))).traceHash).toBe(result.traceHash)
    }
    await fc.assert(fc.asyncProperty(starts, check), { seed: 1, numRuns: 25 })
  })
})

test('a failure that is shrunk into a corner is looked for anew, among short tapes', async () => {
  // With the flag set two have to be late, without it one; the flag alone cannot be taken away.
  const program: FakeProgram = (tape) => {
    const flag = tape.draw('input', 'flag', 0, 1)
    const [a, b, c] = ['a', 'b', 'c'].map((label) => tape.draw('schedule', label, 0, 20_000))
    fail(flag === 1 ? a! > 0 && b! > 0 : c! > 0 && a === 0)
  }
  const start = { input: [choice('flag', 1, 1)], schedule: [choice('a', 900, 20_000), choice('b', 900, 20_000)] }
  const { result } = await shrunkFrom(program, start)
  expect(lateOnes(result)).toEqual({ c: 1 })
})

describe('it ends', () => {
  const WIDE = 2 ** 45
  const labels = Array.from({ length: 120 }, (_, index) => `op${index}`)
  const stubborn: FakeProgram = (tape) => {
    fail(labels.map((label) => tape.draw('schedule', label, 0, WIDE)).every((us, index) => us >= 7 + index))
  }
  const start = { schedule: labels.map((label) => choice(label, WIDE, WIDE)) }

  test('at its bound of executions, saying that it is not complete', async () => {
    const { summary, executor } = await shrunkFrom(stubborn, start)
    expect(summary.complete).toBe(false)
    expect(summary.executions).toBeLessThanOrEqual(4000)
    expect(executor.plans.length).toBe(summary.executions + 1)
  })

  test('when the time is up, with the best so far', async () => {
    let asked = 0
    const program: FakeProgram = (tape) => fail(tape.draw('input', 'x', 0, 1_000_000) >= 5)
    const { summary, result } = await shrunkFrom(
      program,
      { input: [choice('x', 999_999, 1_000_000)] },
      () => ++asked > 8,
    )
    expect(summary.complete).toBe(false)
    expect(values(result)[0]).toBeLessThan(999_999)
    expect(result.verdict).toBe('failed')
  })
})

describe('compare orders by what explains', () => {
  const with_ = (more: Partial<Choices>): Choices => ({ ...NO_CHOICES, length: 100, ...more })

  test.each<[string, Partial<Choices>, Partial<Choices>]>([
    ['fewer late operations, before a shorter input', { input: input(9, 9, 9) }, { schedule: schedule({ a: 1 }) }],
    ['a shorter input, before smaller values', { input: input(9) }, { input: input(0, 0) }],
    ['smaller values, the first ones first', { input: input(0, 9) }, { input: input(1, 0) }],
    [
      'smaller values, before shorter latencies',
      { input: input(0), schedule: schedule({ a: 9 }) },
      { input: input(1), schedule: schedule({ a: 1 }) },
    ],
    [
      'shorter latencies, before an earlier end',
      { schedule: schedule({ a: 1 }) },
      { schedule: schedule({ a: 2 }), length: 0 },
    ],
    ['an earlier end', { length: 1 }, { length: 2 }],
  ])('%s', (_, simpler, other) => {
    expect(compare(with_(simpler), with_(other))).toBeLessThan(0)
    expect(compare(with_(other), with_(simpler))).toBeGreaterThan(0)
    expect(compare(with_(simpler), with_(simpler))).toBe(0)
  })
})
