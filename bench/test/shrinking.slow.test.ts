/**
 * The shrinking suite, small: equal failures come to one minimum, none is larger than fast-check's,
 * and a race is explained by one delay.
 */
import { beforeAll, describe, expect, test } from 'vitest'
import { smokeRows } from './bench.ts'

interface Row {
  subject: string
  tool: string
  failures: number
  minima: number
  medianSize: [parts: number, sum: number]
  worstSize: [parts: number, sum: number]
}

const CASES = [
  'dependent length',
  'duplicates',
  'oneof',
  'nested chain',
  'array sum',
  'schedule with a swap',
  'command sequence',
]

let rows: Row[]

beforeAll(async () => {
  rows = await smokeRows('shrinking', '--part', 'cases')
})

const find = (subject: string, tool: string) => rows.find((row) => row.subject === subject && row.tool === tool)!
const order = ([parts, sum]: readonly [number, number]) => parts * 1e9 + sum

test('has the seven cases, each by both tools', () => {
  expect(rows.map(({ subject, tool }) => [subject, tool])).toEqual(
    CASES.flatMap((name) => [
      [name, 'norn'],
      [name, 'fast-check'],
    ]),
  )
})

describe.each(CASES)('%s', (name) => {
  test('has one minimum', () => {
    expect(find(name, 'norn')).toMatchObject({ failures: 5, minima: 1 })
  })

  test('is no larger than under fast-check', () => {
    const [norn, other] = [find(name, 'norn'), find(name, 'fast-check')]
    expect(order(norn.medianSize)).toBeLessThanOrEqual(order(other.medianSize))
    expect(order(norn.worstSize)).toBeLessThanOrEqual(order(other.worstSize))
  })
})

test('the race of proper-lockfile has one minimum, with one delayed operation, from every seed', async () => {
  const [row, ...others] = await smokeRows('shrinking', '--part', 'races')
  expect(row).toMatchObject({ subject: 'proper-lockfile', failures: 3, minima: 1, delayed: 1, oneMinimal: 3 })
  expect(others).toEqual([])
})
