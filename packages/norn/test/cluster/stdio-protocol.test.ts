import { describe, expect, it } from 'vitest'
import { parseAnswer, parseBatch, parseError, parseHello, parseLine } from '../../src/cluster/stdio/protocol.ts'

const NODES = new Set(['a', 'b'])
const answer = (fields: object, command: 'deliver' | 'crash' | 'reset' | 'drop' = 'deliver') =>
  parseAnswer({ id: 1, ...fields }, command, NODES)
const NOTHING = { sent: [], timers: [], events: [], replies: [], states: {} }

describe('an answer', () => {
  it('may say nothing', () => {
    expect(answer({})).toEqual(NOTHING)
  })

  it('says what was done', () => {
    const said = {
      sent: [{ to: 'b', message: null }],
      timers: [{ set: 'retry', ms: 0.5 }, { clear: 'other' }],
      events: [{ event: 'elected', data: { term: 1 } }],
      replies: [{ number: 3, reply: false }],
      states: { a: 1 },
    }
    expect(answer(said)).toEqual(said)
    expect(answer({ events: [{ event: 'x' }] }).events).toEqual([{ event: 'x', data: undefined }])
  })

  it.each([
    [{ send: [] }, 'send: there is no such field; the fields are id, sent, timers, events, replies, states, coverage'],
    [{ sent: {} }, 'sent: expected a list, got {}'],
    [{ sent: [1] }, 'sent[0]: expected an object, got 1'],
    [{ sent: [{ to: 'c', message: 1 }] }, 'sent[0].to: expected the name of a node (a, b), got "c"'],
    [{ sent: [{ to: 'a' }] }, 'sent[0].message: is missing; null is a value, too'],
    [{ sent: [{ to: 'a', msg: 1 }] }, 'sent[0].msg: there is no such field; the fields are to, message'],
    [{ timers: [{ set: 'x' }] }, 'timers[0].ms: expected milliseconds, 0 or more, got nothing'],
    [{ timers: [{ set: 'x', ms: -1 }] }, 'timers[0].ms: expected milliseconds, 0 or more, got -1'],
    [{ timers: [{ set: '', ms: 1 }] }, 'timers[0].set: expected a name of 1 to 100 characters, got ""'],
    [{ timers: [{ clear: 'x', ms: 1 }] }, 'timers[0].ms: there is no such field; the fields are clear'],
    [{ timers: [null] }, 'timers[0]: expected an object with "set" and "ms", or with "clear", got null'],
    [{ events: [{ data: 1 }] }, 'events[0].event: expected a name of 1 to 100 characters, got nothing'],
    [{ replies: [{ number: '1', reply: 1 }] }, 'replies[0].number: expected the number of a request, got "1"'],
    [{ replies: [{ number: 1 }] }, 'replies[0].reply: is missing; null is a value, too'],
    [{ states: [] }, 'states: expected an object of states by the names of nodes, got []'],
    [{ states: { c: 1 } }, 'states.c: there is no such node, but a, b'],
    [{ sent: new Array(10_001).fill({ to: 'a', message: 1 }) }, 'sent: expected 10000 items at most, got 10001'],
  ])('%j is refused by the path of what is wrong', (fields, message) => {
    expect(() => answer(fields)).toThrow(message)
  })

  it.each(['reset', 'crash', 'drop'] as const)('to %s tells of states alone', (command) => {
    expect(answer({ sent: [], states: { a: 1 } }, command)).toEqual({ ...NOTHING, states: { a: 1 } })
    expect(() => answer({ sent: [{ to: 'a', message: 1 }] }, command)).toThrow(
      `sent: not allowed in the answer to "${command}", which may only have "states"`,
    )
    expect(() => answer({ send: [] }, command)).toThrow('send: there is no such field')
  })

  it('may tell of an error', () => {
    expect(parseError({ id: 1 })).toBeUndefined()
    expect(parseError({ id: 1, error: 'two leaders' })).toEqual({
      name: 'ProgramError',
      message: 'two leaders',
      stack: '',
    })
    const error = { name: 'AssertionError', message: 'two leaders', stack: 'at x' }
    expect(parseError({ error })).toEqual(error)
    expect(() => parseError({ error: 5 })).toThrow('error: expected a string, or an object with a "message", got 5')
    expect(() => parseError({ error: { name: 'X' } })).toThrow('error.message: expected a string, got nothing')
  })
})

describe('the answer to a batch', () => {
  const error = { error: 'two leaders' }

  it('has an answer to each command, up to the first error', () => {
    expect(parseBatch({ id: 1, answers: [{}, { sent: [] }] }, 2)).toEqual([{}, { sent: [] }])
    expect(parseBatch({ id: 1, answers: [{}, error] }, 3)).toEqual([{}, error])
    expect(parseBatch({ id: 1, answers: [{}, error] }, 2)).toEqual([{}, error])
  })

  it.each([
    [{}, 'answers: expected a list, got nothing'],
    [{ answers: [{}], sent: [] }, 'sent: there is no such field; the fields are id, answers, coverage'],
    [{ answers: [{ coverage: [] }, {}] }, 'answers[0].coverage: must stand beside "answers"'],
    [{ answers: [{}, 5] }, 'answers[1]: expected an object, got 5'],
    [{ answers: [{}] }, 'answers: expected one for each of 2 commands, got 1'],
    [{ answers: [{}, {}, error] }, 'answers: expected one for each of 2 commands, got 3'],
    [{ answers: [error, {}] }, 'answers: expected none after answers[0], which is an error, got 2'],
  ])('%j is refused by the path of what is wrong', (fields, message) => {
    expect(() => parseBatch({ id: 1, ...fields }, 2)).toThrow(message)
  })
})

describe('a line', () => {
  it.each([
    ['', 'it is not JSON'],
    ['{"id":1', 'it is not JSON'],
    ['[1]', 'it: expected an object, got [1]'],
    ['null', 'it: expected an object, got null'],
  ])('%j is no answer', (line, message) => {
    expect(() => parseLine(line)).toThrow(message)
  })
})

describe('what a program says of itself', () => {
  it('is its version and its nodes, and what it asks for', () => {
    const flags = { drops: false, batches: false, crashes: true, counters: undefined, random: false }
    const plain = { protocol: 1, nodes: ['a'], tickMs: undefined, ...flags }
    expect(parseHello({ id: 0, protocol: 1, nodes: ['a'] }, undefined)).toEqual(plain)
    const all = {
      protocol: 1,
      nodes: ['a', 'b'],
      tickMs: 10,
      drops: true,
      batches: true,
      crashes: false,
      counters: 9,
      random: true,
    }
    expect(parseHello({ id: 0, ...all }, ['a', 'b'])).toEqual(all)
  })

  it.each([
    [{ nodes: ['a'] }, undefined, 'protocol: expected 1, the version that norn speaks, got nothing'],
    [{ protocol: 1, nodes: [] }, undefined, 'nodes: expected the names of 1 to 64 nodes, got 0'],
    [{ protocol: 1, nodes: ['a', 'a'] }, undefined, 'nodes: "a" appears twice'],
    [{ protocol: 1, nodes: ['a', 7] }, undefined, 'nodes[1]: expected a name of 1 to 100 characters, got 7'],
    [{ protocol: 1, nodes: ['b', 'a'] }, ['a', 'b'], 'nodes: expected those of the command, ["a","b"], got ["b","a"]'],
    [{ protocol: 1, nodes: ['a'], tickMs: 0 }, undefined, 'tickMs: expected a number of milliseconds above 0, got 0'],
    [
      { protocol: 1, nodes: ['a'], counters: 1e9 },
      undefined,
      'counters: expected a number of counters, 1 to 262144, got 1000000000',
    ],
    [{ protocol: 1, nodes: ['a'], drops: 'yes' }, undefined, 'drops: expected true or false, got "yes"'],
  ])('is refused by the path of what is wrong: %j', (hello, wanted, message) => {
    expect(() => parseHello(hello, wanted)).toThrow(message)
  })
})
