/** Each pass alone, on a choice sequence made by hand. */

import { describe, expect, test } from 'vitest'
import { type Choices, UNBOUNDED } from '../../src/contract/choices.ts'
import { LATENCY_POLICY } from '../../src/domains/latency/domain.ts'
import { changeBranch } from '../../src/shrink/change-branch.ts'
import { deleteChoices, deleteSpans } from '../../src/shrink/delete.ts'
import { lowerDuplicates, lowerTogether, redistribute } from '../../src/shrink/lower-jointly.ts'
import { lowerValues } from '../../src/shrink/lower-values.ts'
import { type Failing, Shrinker } from '../../src/shrink/shrinker.ts'
import { shortenTape, simplifySchedule } from '../../src/shrink/simplify-schedule.ts'
import { passToDescendant, simplifySpans } from '../../src/shrink/simplify-spans.ts'
import { sortSpans, sortValues } from '../../src/shrink/sort.ts'
import type { Tape } from '../../src/tape/tape.ts'
import { choice, FakeExecutor, type FakeProgram, replayOf } from '../search/fake.ts'
import { drawAgain } from '../tape/draw-again.ts'

type Pass = (shrinker: Shrinker) => Promise<void>

async function shrinkerFrom(program: FakeProgram, start: Partial<Choices>, limit = 1000) {
  const executor = new FakeExecutor(program)
  const failing = await executor.execute(replayOf(start))
  expect(failing.verdict).toBe('failed')
  const { compare } = LATENCY_POLICY
  return {
    executor,
    shrinker: new Shrinker(executor, { from: 'tape' }, failing as Failing, () => false, limit, compare),
  }
}

/** What a pass makes of input values, run once. */
async function passed(pass: Pass, program: FakeProgram, ...values: number[]) {
  const { shrinker } = await shrinkerFrom(program, { input: values.map((value, index) => choice(`${index}`, value)) })
  await pass(shrinker)
  return shrinker.best.choices.input.map(({ value }) => value)
}

function failIf(condition: boolean): void {
  if (condition) throw new Error('failed')
}

const draw = (tape: Tape, max = 1000, min = 0) => drawAgain(tape, 'input', 'value', min, max)

/** A list as an arbitrary draws it: its length, then its items, each in a span. */
function list<Item>(tape: Tape, item: () => Item, length = draw(tape, 20)): Item[] {
  return tape.span('input', 'list', () => Array.from({ length }, () => tape.span('input', 'item', item)))
}

const pair = (tape: Tape) => () => [draw(tape), draw(tape)] as const

describe('simplify spans', () => {
  test('a part that does not matter is simplified in one attempt', async () => {
    const program: FakeProgram = (tape) => failIf(list(tape, pair(tape)).some(([a, b]) => a + b === 15))
    expect(await passed(simplifySpans, program, 3, 4, 5, 7, 8, 9, 9)).toEqual([3, 0, 0, 7, 8, 0, 0])
  })
})

describe('delete spans', () => {
  test('items go with their count, wherever they stand', async () => {
    const program: FakeProgram = (tape) => failIf(list(tape, pair(tape)).some(([a, b]) => a + b === 15))
    expect(await passed(deleteSpans, program, 4, 4, 5, 7, 8, 9, 9, 1, 2)).toEqual([1, 7, 8])
  })

  test('many at once: the tries grow with the logarithm', async () => {
    const program: FakeProgram = (tape) => failIf(list(tape, () => draw(tape), draw(tape, 2000)).includes(7))
    const values = [1001, ...Array.from({ length: 1000 }, () => 3), 7]
    const input = values.map((value, index) => choice(`${index}`, value, 2000))
    const { shrinker } = await shrinkerFrom(program, { input })
    await deleteSpans(shrinker)
    expect(shrinker.best.choices.input.map(({ value }) => value)).toEqual([1, 7])
    expect(shrinker.executions).toBeLessThan(100)
  })

  test('a count that was drawn in a span of its own, as a chain does', async () => {
    const program: FakeProgram = (tape) => {
      tape.span('input', 'chain', () => {
        const length = tape.span('input', 'source', () => draw(tape, 20))
        // The dependent part draws its length once more, from a range of one.
        const again = draw(tape, length, length)
        failIf(list(tape, () => draw(tape), again).includes(7))
      })
    }
    expect(await passed(deleteSpans, program, 3, 3, 5, 7, 9)).toEqual([1, 1, 7])
  })

  test('the vain tries of a filter, which nothing counts', async () => {
    const program: FakeProgram = (tape) => {
      let value = 0
      for (let tries = 0; value < 50 && tries < 20; tries++) value = tape.span('input', 'try', () => draw(tape))
      failIf(value >= 50)
    }
    expect(await passed(deleteSpans, program, 3, 4, 5, 60)).toEqual([60])
  })
})

describe('pass to descendant', () => {
  type Node = number | readonly [Node, Node]
  const node = (tape: Tape): Node =>
    tape.span('input', 'node', () => (draw(tape, 1) === 0 ? draw(tape) : [node(tape), node(tape)]))
  const leaves = (tree: Node): number[] => (typeof tree === 'number' ? [tree] : tree.flatMap(leaves))

  test('of a tree that branch remains which matters', async () => {
    const program: FakeProgram = (tape) => failIf(leaves(node(tape)).includes(7))
    // ((1 7) 2)
    expect(await passed(passToDescendant, program, 1, 1, 0, 1, 0, 7, 0, 2)).toEqual([0, 7])
  })
})

describe('change branch', () => {
  const either = (tape: Tape) =>
    tape.span('input', 'either', () => {
      const branch = draw(tape, 2)
      if (branch === 0) return draw(tape)
      if (branch === 1) return [...list(tape, () => draw(tape, 9))].length * 100
      return Math.max(0, ...list(tape, () => draw(tape)))
    })

  test('an earlier alternative is entered with values of its own', async () => {
    const program: FakeProgram = (tape) => failIf(either(tape) > 150)
    expect((await passed(changeBranch, program, 1, 3, 4, 5, 6))[0]).toBe(0)
    expect((await passed(changeBranch, program, 2, 2, 900, 5))[0]).toBe(0)
  })

  test('an alternative that cannot fail stays left', async () => {
    const program: FakeProgram = (tape) => failIf(draw(tape, 1) === 1 && draw(tape) === 77)
    expect(await passed(changeBranch, program, 1, 77)).toEqual([1, 77])
  })
})

describe('delete choices', () => {
  test('runs of choices that no span shows, with their count', async () => {
    const program: FakeProgram = (tape) => {
      failIf(Array.from({ length: draw(tape, 20) }, () => draw(tape)).includes(7))
    }
    expect(await passed(deleteChoices, program, 5, 1, 2, 7, 3, 4)).toEqual([1, 7])
  })
})

describe('lower values', () => {
  const lower: Pass = (shrinker) => lowerValues(shrinker, 'input')

  test('each to its threshold, by itself', async () => {
    const program: FakeProgram = (tape) => failIf(draw(tape) >= 17 && draw(tape) >= 0 && draw(tape) >= 300)
    expect(await passed(lower, program, 900, 800, 999)).toEqual([17, 0, 300])
  })
})

describe('lower duplicates', () => {
  test('values that have to be equal, all together', async () => {
    const program: FakeProgram = (tape) => {
      const [a, b, c, d] = [draw(tape), draw(tape), draw(tape), draw(tape)]
      failIf(a === c && c === d && a >= 12 && b > 5)
    }
    expect(await passed(lowerDuplicates, program, 500, 7, 500, 500)).toEqual([12, 7, 12, 12])
  })
})

describe('lower together', () => {
  test('values that have to keep their difference', async () => {
    const program: FakeProgram = (tape) => {
      const [a, b] = [draw(tape), draw(tape)]
      failIf(b - a === 30 && a >= 4)
    }
    expect(await passed(lowerTogether, program, 700, 730)).toEqual([4, 34])
  })
})

describe('redistribute', () => {
  const program: FakeProgram = (tape) => {
    failIf([draw(tape), draw(tape), draw(tape)].reduce((sum, n) => sum + n, 0) >= 1500)
  }

  test('value moves to later choices, as far as they have room', async () => {
    expect(await passed(redistribute, program, 600, 500, 400)).toEqual([0, 500, 1000])
  })

  test('of what must stay only the rest moves', async () => {
    const keeping: FakeProgram = (tape) => {
      const [a, b] = [draw(tape), draw(tape)]
      failIf(a >= 10 && a + b === 300)
    }
    expect(await passed(redistribute, keeping, 200, 100)).toEqual([10, 290])
  })

  test('numbers below zero move away from zero', async () => {
    const below: FakeProgram = (tape) => failIf(draw(tape, 0, -1000) + draw(tape, 0, -1000) <= -100)
    expect(await passed(redistribute, below, -70, -30)).toEqual([0, -100])
  })
})

describe('sort spans', () => {
  test('items come in order, the simplest first', async () => {
    const program: FakeProgram = (tape) => failIf(list(tape, pair(tape)).length === 3)
    expect(await passed(sortSpans, program, 3, 9, 1, 4, 2, 4, 1)).toEqual([3, 4, 1, 4, 2, 9, 1])
  })

  test('where not every order fails, those change places that can', async () => {
    const program: FakeProgram = (tape) => failIf(list(tape, pair(tape))[0]![0] === 9)
    expect(await passed(sortSpans, program, 3, 9, 1, 4, 2, 4, 1)).toEqual([3, 9, 1, 4, 1, 4, 2])
  })

  test('it is the whole that counts: a long item goes first where its beginning is simpler', async () => {
    // An item is 0 and a value, or 1.
    const item = (tape: Tape) => () => (draw(tape, 1) === 0 ? draw(tape) : -1)
    const program: FakeProgram = (tape) => failIf(list(tape, item(tape)).length === 2)
    expect(await passed(sortSpans, program, 2, 1, 0, 5)).toEqual([2, 0, 5, 1])
  })
})

describe('sort values', () => {
  test('smaller values of one range come first', async () => {
    const program: FakeProgram = (tape) => failIf(draw(tape) + draw(tape) + draw(tape, 50) > 0)
    expect(await passed(sortValues, program, 30, 20, 10)).toEqual([20, 30, 10])
  })
})

describe('shorten the tape', () => {
  test('the tape ends where all later choices are the simplest', async () => {
    const program: FakeProgram = (tape) => failIf(draw(tape) + draw(tape) >= 5 && draw(tape) >= 0)
    const { shrinker } = await shrinkerFrom(program, { input: [choice('0', 4), choice('1', 3), choice('2', 9)] })
    await shortenTape(shrinker)
    expect(shrinker.best.choices.length).toBe(2)
    expect(shrinker.best.choices.input.map(({ value }) => value)).toEqual([4, 3, 0])
  })
})

describe('simplify schedule', () => {
  test('all but what has to be late', async () => {
    const labels = Array.from({ length: 30 }, (_, index) => `op${index}`)
    const program: FakeProgram = (tape) => {
      failIf(labels.map((label) => tape.draw('schedule', label, 0, 20_000))[11]! > 0)
    }
    const { shrinker } = await shrinkerFrom(program, { schedule: labels.map((label) => choice(label, 500)) })
    await simplifySchedule(shrinker)
    expect(shrinker.choices.schedule).toEqual([choice('op11', 500)])
  })
})

describe('the search', () => {
  const sum: FakeProgram = (tape) => failIf(draw(tape) + draw(tape) >= 9)
  const start = { input: [choice('0', 9), choice('1', 0)], length: 1 }

  test('keeps only what is simpler and fails in the same way', async () => {
    const program: FakeProgram = (tape) => {
      const value = draw(tape)
      if (value >= 10) throw new Error('large')
      if (value >= 5) throw new Error('medium')
    }
    const { shrinker } = await shrinkerFrom(program, { input: [choice('0', 20)] })
    const tried = [30, 7, 3, 12]
    const accepted: boolean[] = []
    for (const value of tried) accepted.push(await shrinker.acceptsInput([choice('0', value)]))
    expect(accepted).toEqual([false, false, false, true])
  })

  test('tries nothing twice, and no more than its limit', async () => {
    const { shrinker, executor } = await shrinkerFrom(sum, start, 2)
    for (const value of [1, 1, 2, 3]) await shrinker.acceptsInput([choice('0', value)])
    expect(shrinker.executions).toBe(2)
    expect(executor.plans.length).toBe(3)
    expect(shrinker.exhausted).toBe(true)
  })

  test('a tape that ran out takes values again once it may go on', async () => {
    const { shrinker } = await shrinkerFrom(sum, start)
    const moved = [choice('0', 0), choice('1', 9)]
    expect(await shrinker.acceptsInput(moved)).toBe(false)
    await shrinker.unbind()
    expect(shrinker.best.choices.length).toBe(UNBOUNDED)
    expect(await shrinker.acceptsInput(moved)).toBe(true)
  })

  test('a tape whose end the failure needs stays as it is', async () => {
    const program: FakeProgram = (tape) => failIf(draw(tape) === 9 && draw(tape) === 0 && tape.outOfEntropy)
    const { shrinker } = await shrinkerFrom(program, start)
    await shrinker.unbind()
    expect(shrinker.best.choices.length).toBe(1)
  })
})
