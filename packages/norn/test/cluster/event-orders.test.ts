import { expect, test } from 'vitest'
import { eventOrders } from '../../src/cluster/event-orders.ts'
import type { LogEntry } from '../../src/cluster/log.ts'

const entry = (kind: LogEntry['kind'], node: string, step: number, more: Partial<LogEntry> = {}): LogEntry => ({
  kind,
  step,
  atUs: 0,
  node,
  peer: '',
  name: '',
  id: -1,
  data: undefined,
  ...more,
})
const deliver = (node: string, step: number, type: string, peer = 'x') =>
  entry('deliver', node, step, { peer, data: { type } })

test('a pair is what came right after what at a node, once, with the step at which it first did', () => {
  const { pairs, steps } = eventOrders([
    entry('start', 'a', -1),
    deliver('a', 0, 'Vote'),
    deliver('b', 1, 'Vote'),
    deliver('a', 2, 'Vote'),
    deliver('a', 3, 'Vote'),
  ])
  // Start, then a vote, then a vote after a vote; and at the other node a vote to begin with.
  expect(steps).toEqual([-1, 0, 1, 2])
  expect(new Set(pairs).size).toBe(4)
})

test('who sent a message does not count, and neither does what happens to no node', () => {
  const one = eventOrders([deliver('a', 0, 'Vote', 'x'), deliver('a', 1, 'Vote', 'y')])
  const other = eventOrders([deliver('a', 0, 'Vote', 'y'), entry('calm', '', 1), deliver('a', 1, 'Vote', 'x')])
  expect(other.pairs).toEqual(one.pairs)
})

test('another order at a node gives other pairs, another order of nodes does not', () => {
  const [vote, append] = [deliver('a', 0, 'Vote'), deliver('a', 1, 'Append')]
  const elsewhere = deliver('b', 0, 'Vote')
  const of = (...log: LogEntry[]) => new Set(eventOrders(log).pairs)
  expect(of(vote, append)).not.toEqual(of(append, vote))
  expect(of(vote, elsewhere, append)).toEqual(of(elsewhere, vote, append))
})
