/**
 * The log of comparisons is bounded, fair to all sites, and in order.
 */
import { describe, expect, test } from 'vitest'
import { isOperand, RecordedComparisons } from '../../src/loader/recorded-comparisons.ts'

const variables = { kind: 'equal', leftConstant: false, rightConstant: false, constants: undefined } as const

const lefts = (log: RecordedComparisons, site?: number) =>
  Array.from({ length: log.length }, (_, index) => index)
    .filter((index) => site === undefined || log.site(index) === site)
    .map((index) => log.left(index))

const numbers = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index)

describe('one site', () => {
  test('keeps its first 32 and its last 32', () => {
    const log = new RecordedComparisons()
    const site = log.add(variables)
    for (let n = 0; n < 1000; n++) log.note(site, n, -n)
    expect(lefts(log)).toEqual([...numbers(0, 32), ...numbers(968, 1000)])
  })

  test.each([1, 31, 32, 33, 63, 64, 65, 96, 97])('of %i comparisons no more than are there, each once', (count) => {
    const log = new RecordedComparisons()
    const site = log.add(variables)
    for (let n = 0; n < count; n++) log.note(site, n, 0)
    const expected = count <= 64 ? numbers(0, count) : [...numbers(0, 32), ...numbers(count - 32, count)]
    expect(lefts(log)).toEqual(expected)
  })

  test('a comparison with several constants is one with each, under a number of its own', () => {
    const log = new RecordedComparisons()
    log.add(variables)
    const site = log.add({ kind: 'equal', leftConstant: false, rightConstant: true, constants: ['a', 'b'] })
    const after = log.add(variables)
    log.noteLeft(site, 'x')
    log.note(after, 1, 2)
    const rows = numbers(0, log.length).map((n) => [log.site(n), log.left(n), log.right(n), log.isConstant(n, 'right')])
    expect(rows).toEqual([
      [1, 'x', 'a', true],
      [2, 'x', 'b', true],
      [3, 1, 2, false],
    ])
  })
})

describe('many sites', () => {
  test('are read in the order in which the comparisons were made', () => {
    const log = new RecordedComparisons()
    const [a, b] = [log.add(variables), log.add(variables)]
    for (let n = 0; n < 5; n++) log.note(n % 2 === 0 ? b : a, n, 0)
    expect(lefts(log)).toEqual([0, 1, 2, 3, 4])
  })

  test('at most 4096 are read, and no site is silenced by others', () => {
    const log = new RecordedComparisons()
    const sites = numbers(0, 500).map(() => log.add(variables))
    for (const site of sites) for (let n = 0; n < 100; n++) log.note(site, n, 0)
    expect(log.length).toBe(4000)
    for (const site of sites) expect(lefts(log, site)).toEqual([0, 1, 2, 3, 96, 97, 98, 99])
  })

  test('of more than can be read, those that came first', () => {
    const log = new RecordedComparisons()
    const sites = numbers(0, 5000).map(() => log.add(variables))
    for (const site of sites.toReversed()) log.note(site, site, 0)
    expect(lefts(log)).toEqual(numbers(904, 5000).reverse())
  })
})

describe('reset', () => {
  test('forgets; what is noted afterwards is read as if nothing had been before', () => {
    const [used, fresh] = [new RecordedComparisons(), new RecordedComparisons()]
    for (const log of [used, fresh]) for (let n = 0; n < 4; n++) log.add(variables)
    for (let n = 0; n < 100; n++) used.note(n % 4, `${n}`, n)
    expect(used.length).toBe(100)
    used.reset()
    expect(used.length).toBe(0)
    used.reset()
    for (const log of [used, fresh]) for (let n = 0; n < 200; n++) log.note((n * 7) % 3, n, n)
    expect(lefts(used)).toEqual(lefts(fresh))
  })

  test('there is no comparison behind the last', () => {
    expect(() => new RecordedComparisons().left(0)).toThrow('there is no comparison 0 among 0')
  })
})

test('operands are values that can be written down', () => {
  expect([1, 'a', 1n, true, null, undefined].every(isOperand)).toBe(true)
  expect([{}, [], () => {}, Symbol('s')].some(isOperand)).toBe(false)
})
