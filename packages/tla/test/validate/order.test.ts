/** Logs of several machines, put together in another order than that in which things happened. */
import { describe, expect, test } from 'vitest'
import { inOrder, type Order } from '../../src/validate/order.ts'

function lines(order: Order, ...entries: readonly Record<string, unknown>[]): readonly number[] {
  return inOrder(
    entries.map((data, index) => ({ line: index + 1, data })),
    order,
    'run.ndjson',
  ).map(({ line }) => line)
}

describe('by a time', () => {
  const byTime: Order = ({ time }) => time

  test('numbers are compared as numbers, also where they are texts, and texts as texts', () => {
    expect(lines(byTime, { time: 10 }, { time: 9 }, { time: '8' }, { time: 9.5 })).toEqual([3, 2, 4, 1])
    const [early, late] = ['9007199254740993', '9007199254740992']
    expect(lines(byTime, { time: early }, { time: late })).toEqual([2, 1])
    expect(lines(byTime, { time: '2026-01-01T00:00:01Z' }, { time: '2026-01-01T00:00:00Z' })).toEqual([2, 1])
  })

  test('at the same time, they stay in the order of the file; those without come first', () => {
    expect(lines(byTime, { time: 2 }, { time: 1 }, { note: 'begin' }, { time: 1 })).toEqual([3, 2, 4, 1])
  })

  test('what is neither is refused', () => {
    expect(() => lines(byTime, { time: 1 }, { time: [2] })).toThrow(
      'run.ndjson:2: `order` must return a number, a string, { clock, node } or undefined',
    )
    const mixed = () => lines(({ time }) => time, { time: 1 }, { time: { clock: { a: 1 }, node: 'a' } })
    expect(mixed).toThrow(
      'run.ndjson:2: `order` returned a vector clock for this line and a time for others: use one of them',
    )
  })
})

describe('by vector clocks', () => {
  const causal: Order = ({ vector: clock, node }) => (clock === undefined ? undefined : { clock, node })

  test('nothing comes before what its clock knows of', () => {
    const received = { node: 'b', vector: { a: 2, b: 1 } }
    const sent = { node: 'a', vector: { a: 2 } }
    const before = { node: 'a', vector: { a: 1 } }
    expect(lines(causal, received, sent, before)).toEqual([3, 2, 1])
    expect(lines(causal, received, before, sent)).toEqual([2, 3, 1])
  })

  test('what is concurrent stays in the order of the file; those without a clock come first', () => {
    const [a, b] = [
      { node: 'a', vector: { a: 1 } },
      { node: 'b', vector: { b: 1 } },
    ]
    expect(lines(causal, b, a, { servers: 2 })).toEqual([3, 1, 2])
  })

  test('nodes may be numbers, and clocks may know of nodes that have no entries', () => {
    expect(lines(causal, { node: 1, vector: { 0: 1, 1: '1', 7: 9 } }, { node: 0, vector: { 0: 1 } })).toEqual([2, 1])
  })

  test('clocks that contradict each other are refused, and those that lack their own node', () => {
    const [a, b] = [
      { node: 'a', vector: { a: 1, b: 1 } },
      { node: 'b', vector: { a: 1, b: 1 } },
    ]
    expect(() => lines(causal, a, b)).toThrow(
      'run.ndjson:1: `order`: cyclic vector clocks: this entry and another one precede each other',
    )
    expect(() => lines(causal, { node: 'a', vector: { b: 1 } })).toThrow(
      "run.ndjson:1: `order`: the clock has no number for 'a', the node of this entry",
    )
  })
})
