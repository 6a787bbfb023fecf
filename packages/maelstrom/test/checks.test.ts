import { describe, expect, test } from 'vitest'
import type { ClusterView } from '../../norn/src/cluster/views.ts'
import { COUNTER, checkEcho, convergesTo, type Exchange, GROWING_SET } from '../src/checks.ts'
import { checkKafka } from '../src/kafka.ts'
import type { Body } from '../src/services.ts'

const view = (exchanges: readonly Exchange[], seen: Readonly<Record<string, Body | undefined>> = {}): ClusterView =>
  ({
    requests: exchanges.map(({ request, reply }) => ({ request, replies: reply === undefined ? [] : [reply] })),
    node: () => ({ state: seen }),
  }) as unknown as ClusterView

const add = (delta: number, reply?: Body): Exchange => ({ request: { type: 'add', delta }, reply })
const put = (element: number, reply?: Body): Exchange => ({ request: { type: 'add', element }, reply })
const OK: Body = { type: 'add_ok' }
const error = (code: number): Body => ({ type: 'error', code, text: '' })

test('an echo must come back', () => {
  const answered = (echo: number) => view([{ request: { type: 'echo', echo: 1 }, reply: { type: 'echo_ok', echo } }])
  checkEcho(answered(1))
  expect(() => checkEcho(answered(2))).toThrow()
})

describe('a counter', () => {
  test('has the sum of what was acknowledged, and of any part of what may have happened', () => {
    const exchanges = [add(1, OK), add(10), add(100, error(0)), add(1000, error(11))]
    const sums = [1, 11, 101, 111, 1001, 0, 10]
    expect(sums.filter((sum) => COUNTER.isComplete(sum, exchanges))).toEqual([1, 11, 101, 111])
  })
})

describe('a set', () => {
  test('has what was acknowledged, and nothing that was not added', () => {
    const exchanges = [put(1, OK), put(2)]
    expect(GROWING_SET.isComplete(['1'], exchanges)).toBe(true)
    expect(GROWING_SET.isComplete(['2'], exchanges)).toBe(false)
    expect(() => GROWING_SET.assertPossible(['3'], exchanges)).toThrow('a read returned 3, which was never added')
  })

  test('has converged once the observer saw the same at all nodes, in any order', () => {
    const { eventually } = convergesTo('converged', GROWING_SET, 1)
    const exchanges = [put(1, OK), put(2, OK)]
    const saw = (...values: (number[] | undefined)[]) => {
      const replies = values.map((value) => value && { type: 'read_ok', value })
      return eventually.holds(view(exchanges, { n0: replies[0], n1: replies[1] }))
    }
    expect(saw([1, 2], [2, 1])).toBe(true)
    expect(saw([1, 2], [1])).toBe(false)
    expect(saw([1, 2], undefined)).toBe(false)
    expect(saw([1], [1])).toBe(false)
  })
})

describe('streams', () => {
  const send = (msg: number, offset: number): Exchange => ({
    request: { type: 'send', key: 'k', msg },
    reply: { type: 'send_ok', offset },
  })
  const poll = (from: number, ...msgs: [number, number][]): Exchange => ({
    request: { type: 'poll', offsets: { k: from } },
    reply: { type: 'poll_ok', msgs: { k: msgs } },
  })
  const check = (...exchanges: Exchange[]) => checkKafka(view(exchanges))

  test('may be polled in part, with offsets that leave gaps', () => {
    check(send(1, 0), send(2, 5), poll(0, [0, 1]), poll(1, [5, 2]), poll(0))
  })

  test.each([
    ['one offset for two messages', [send(1, 0), send(2, 0)], 'offset 0 of k has two messages: 1 and 2'],
    ['a poll that skips', [send(1, 0), send(2, 1), send(3, 2), poll(0, [0, 1], [2, 3])], 'and skipped 1'],
    ['a poll that skips the first', [send(1, 0), send(2, 1), poll(0, [1, 2])], 'and skipped 0'],
    ['a poll that goes back', [send(1, 0), send(2, 1), poll(0, [1, 2], [0, 1])], 'and skipped 0'],
    ['a poll that repeats', [send(1, 0), poll(0, [0, 1], [0, 1])], 'returned offset 0 where 1 or more was due'],
  ])('do not have %s', (_, exchanges, message) => {
    expect(() => check(...exchanges)).toThrow(message)
  })

  test('have no committed offset that nobody committed', () => {
    const list: Exchange = {
      request: { type: 'list_committed_offsets', keys: ['k'] },
      reply: { type: 'list_committed_offsets_ok', offsets: { k: 3 } },
    }
    const commit: Exchange = { request: { type: 'commit_offsets', offsets: { k: 3 } }, reply: undefined }
    check(commit, list)
    expect(() => check(list)).toThrow('the committed offset of k is 3, which no client committed')
  })
})
