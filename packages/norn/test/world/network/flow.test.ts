import { expect, test } from 'vitest'
import { Causality } from '../../../src/world/loop/causality.ts'
import { Flow } from '../../../src/world/network/flow.ts'

const { current: step } = new Causality()
const sent = (flow: Flow, text: string, atUs: number) =>
  flow.push(Buffer.from(text), { step, delayUs: 0, atUs: flow.arrival(atUs) })
const readable = (flow: Flow, nowUs: number) => {
  const size = flow.available(nowUs, Number.POSITIVE_INFINITY)
  return size === 0 ? '' : Buffer.from(flow.take(size)).toString()
}

test('bytes that were sent later do not overtake, and nothing arrives before a held time', () => {
  const flow = new Flow(100)
  sent(flow, 'slow', 50)
  sent(flow, 'fast', 10)
  expect([flow.readableUs, readable(flow, 49), readable(flow, 50)]).toEqual([50, '', 'slowfast'])
  flow.holdUntil(90)
  expect(flow.arrival(60)).toBe(90)
})

test('the end and a reset are readable behind the bytes', () => {
  const flow = new Flow(100)
  sent(flow, 'text', 10)
  flow.end = { step, delayUs: 0, atUs: 30 }
  flow.reset = { step, delayUs: 0, atUs: 5 }
  expect([flow.readableUs, flow.hasReset(5), flow.hasEnded(30)]).toEqual([10, true, false])
  expect(readable(flow, 10)).toBe('text')
  expect([flow.readableUs, flow.hasEnded(29), flow.hasEnded(30)]).toEqual([5, false, true])
})

test('a reader takes parts of segments, each byte once', () => {
  const flow = new Flow(8)
  sent(flow, 'abc', 0)
  sent(flow, 'def', 0)
  sent(flow, 'late', 9)
  expect([flow.size, flow.room, flow.available(0, 4), flow.segments(0, 5, () => 1)]).toEqual([
    10,
    0,
    4,
    { size: 6, isAll: true },
  ])
  expect(flow.segments(0, 2, (length) => length)).toEqual({ size: 3, isAll: false })
  expect(Buffer.from(flow.take(4)).toString()).toBe('abcd')
  expect([flow.size, flow.room, flow.available(0, 100), readable(flow, 0)]).toEqual([6, 2, 2, 'ef'])
  expect(readable(flow, 9)).toBe('late')
})
