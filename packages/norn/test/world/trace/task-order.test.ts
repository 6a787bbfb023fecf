/** The happens-before class of an execution: what of its order the program could tell. */
import { describe, expect, test } from 'vitest'
import { type OrderedEvent, TaskOrderBuilder } from '../../../src/world/trace/task-order.ts'

type Kind = 'callback' | 'timer' | 'immediate' | 'effect' | 'fault'

const event = (event: Kind, chain: string, kind = '', resource = ''): OrderedEvent => ({
  event,
  chain,
  index: 1,
  kind,
  resource,
})

const effect = (chain: string, kind: string, resource: string) => event('effect', chain, kind, resource)

function orderOf(events: readonly OrderedEvent[]) {
  const builder = new TaskOrderBuilder()
  for (const each of events) builder.add(each)
  return builder.get()
}

const classOf = (...events: OrderedEvent[]) => orderOf(events).happensBefore

/** Whether it makes a difference which of the two comes first, between what happens around them. */
function canTell(one: OrderedEvent, other: OrderedEvent): boolean {
  const [before, after] = [effect('0/9.1', 'write', 'a'), effect('0/9.2', 'write', 'a')]
  return classOf(before, one, other, after) !== classOf(before, other, one, after)
}

const READS = ['stat', 'lstat', 'fstat', 'access', 'read', 'scandir', 'readlink', 'realpath']

describe('effects', () => {
  test('that read commute', () => {
    for (const kind of READS) {
      expect(canTell(effect('0', kind, 'a'), effect('0/1.1', 'read', 'a'))).toBe(false)
    }
  })

  test('of which one changes what the other works on do not', () => {
    for (const kind of ['write', 'unlink', 'rename', 'open', 'truncate']) {
      expect(canTell(effect('0', kind, 'a'), effect('0/1.1', 'write', 'a'))).toBe(true)
      expect(canTell(effect('0', kind, 'a'), effect('0/1.1', 'read', 'a'))).toBe(true)
      expect(canTell(effect('0/1.1', 'stat', 'a'), effect('0', kind, 'a'))).toBe(true)
    }
  })

  test('on two resources commute, whatever they do', () => {
    expect(canTell(effect('0', 'write', 'a'), effect('0/1.1', 'unlink', 'b'))).toBe(false)
  })

  test('that fail by a fault count as what they were to be', () => {
    expect(canTell(event('fault', '0', 'write', 'a'), effect('0/1.1', 'write', 'a'))).toBe(true)
    expect(canTell(event('fault', '0', 'read', 'a'), effect('0/1.1', 'read', 'a'))).toBe(false)
  })

  test('and callbacks commute: a callback that minds has an effect of its own', () => {
    expect(canTell(effect('0', 'write', 'a'), event('callback', '0/1.1'))).toBe(false)
  })

  test('that happen are not those that do not, even where nobody changes anything', () => {
    expect(classOf(effect('0', 'read', 'a'))).not.toBe(classOf())
    expect(classOf(effect('0', 'read', 'a'))).not.toBe(classOf(effect('0', 'read', 'b')))
    expect(classOf(effect('0', 'read', 'a'))).not.toBe(classOf(effect('0', 'write', 'a')))
  })
})

test('callbacks, timers and immediates never commute: they share one memory', () => {
  for (const one of ['callback', 'timer', 'immediate'] as const) {
    for (const other of ['callback', 'timer', 'immediate'] as const) {
      expect(canTell(event(one, '0'), event(other, '0/1.1'))).toBe(true)
    }
  }
})

test('the tasks stand in the order in which they ran, each by a number of its label; effects are no tasks', () => {
  const [a, b] = [event('callback', '0'), event('timer', '0/1.1')]
  const { tasks } = orderOf([a, effect('0', 'write', 'a'), b])
  expect(orderOf([b, a]).tasks).toEqual([tasks[1], tasks[0]])
  expect(tasks).toHaveLength(2)
})

test('two tasks of one execution have two numbers', () => {
  const chains = ['0', ...Array.from({ length: 40 }, (_, at) => [`0/${at}.1`, `0/1.${at}`, `0/1.1/${at}.1`]).flat()]
  const labels = new Set<string>()
  const builder = new TaskOrderBuilder()
  for (const chain of new Set(chains)) {
    for (let index = 1; index <= 40; index++) {
      labels.add(`${chain}:${index}`)
      builder.add({ ...event('callback', chain), index })
    }
  }
  const { tasks } = builder.get()
  expect(new Set(tasks).size).toBe(labels.size)
  for (const task of tasks) expect(task === task >>> 0).toBe(true)
})
