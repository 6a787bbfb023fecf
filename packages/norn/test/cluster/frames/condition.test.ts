import { expect, test } from 'vitest'
import type { ClusterView, NodeView } from '../../../src/cluster/definition.ts'
import { parseCondition } from '../../../src/cluster/frames/condition.ts'
import type { EntryKind, LogEntry } from '../../../src/cluster/log.ts'

const entry = (kind: EntryKind, name = ''): LogEntry => ({
  kind,
  name,
  step: 0,
  atUs: 0,
  node: '',
  peer: '',
  id: -1,
  data: undefined,
})

class Vote {
  readonly for = 'a'
}

const nodes: NodeView[] = [
  { id: 'a', up: true, state: { role: 'leader', term: 3, votes: new Set(['a', 'b']), log: [1, 2] } },
  { id: 'b', up: true, state: { role: 'follower', term: 3, vote: new Vote(), by: new Map([['a', { ok: true }]]) } },
  { id: 'c', up: false, state: undefined },
]
const log = [entry('start'), entry('event', 'elected'), entry('crash'), entry('event', 'elected')]
const view = { nodes, log, messages: [{}, {}], requests: [], nowMs: 12.5 } as unknown as ClusterView

const holds = (where: unknown) => parseCondition(where, 'where')(view)

test.each<[string, unknown]>([
  ['a path into the state of a node', { 'nodes.a.state.role': 'leader' }],
  ['whether a node is up', { 'nodes.c.up': false }],
  ['a path through a map', { 'nodes.b.state.by.a.ok': true }],
  ['a place of an array', { 'nodes.a.state.log.1': 2 }],
  ['an array by its content', { 'nodes.a.state.log': [1, 2] }],
  ['an instance by its content', { 'nodes.b.state.vote': { equals: { for: 'a' } } }],
  ['a set by its content', { 'nodes.a.state.votes': ['a', 'b'] }],
  ['numbers by bounds', { 'nodes.a.state.term': { atLeast: 3, atMost: 3 } }],
  ['one of several', { 'nodes.a.state.role': { oneOf: ['leader', 'candidate'] } }],
  ['what a set includes', { 'nodes.a.state.votes': { includes: 'b' } }],
  ['how large something is', { 'nodes.a.state.votes': { size: { atLeast: 2 } } }],
  ['that something is there', { 'nodes.a.state.log': { exists: true }, 'nodes.a.state.vote': { exists: false } }],
  ['what a value is not', { 'nodes.b.state.role': { not: { oneOf: ['leader'] } } }],
  ['some node', { some: { 'state.role': 'follower', 'state.term': 3 } }],
  ['every node', { every: { any: [{ up: false }, { 'state.term': 3 }] } }],
  ['how many nodes', { count: { of: { 'state.term': 3, not: { id: 'x' } }, is: 2 } }],
  ['events so far', { 'events.elected': 2, 'events.deposed': 0 }],
  ['entries so far', { 'seen.crash': { atLeast: 1 }, 'seen.restart': 0 }],
  ['messages and time', { messages: 2, nowMs: { atMost: 12.5 } }],
  ['that something does not hold', { not: { 'nodes.a.state.role': 'follower' } }],
  ['that one of several holds', { any: [{ messages: 1 }, { messages: 2 }] }],
])('a condition asks for %s', (_, where) => {
  expect(holds(where)).toBe(true)
  expect(holds({ not: where })).toBe(false)
})

test.each<[string, unknown]>([
  ['one of them does not hold', { 'nodes.a.state.role': 'leader', messages: 3 }],
  ['a path leads nowhere', { 'nodes.c.state.role': 'leader' }],
  ['there is no such node', { 'nodes.x.up': false }],
  ['a text is asked for a bound', { 'nodes.a.state.role': { atLeast: 0 } }],
  ['a set has more', { 'nodes.a.state.votes': ['a'] }],
  ['an object has more', { 'nodes.b.state.vote': { equals: {} } }],
])('it does not hold where %s', (_, where) => {
  expect(holds(where)).toBe(false)
})

test.each<[unknown, RegExp]>([
  [[], /^where must be an object/],
  [{}, /^where is empty: it would always hold/],
  [{ 'node.a.state.role': 1 }, /^where\.node\.a\.state\.role is unknown: use "nodes\.NAME\.state/],
  [{ 'nodes.a.role': 1 }, /^where\.nodes\.a\.role is unknown/],
  [{ some: { role: 1 } }, /^where\.some\.role is unknown: of a node, use "state/],
  [{ 'seen.crsh': 1 }, /^where\.seen\.crsh is not a kind of log entry: use one of start, send/],
  [{ messages: { more: 1 } }, /^where\.messages\.more is not an operator: use equals, not/],
  [{ messages: { atLeast: '1' } }, /^where\.messages\.atLeast must be a number/],
  [{ count: { of: { up: true } } }, /^where\.count must be \{ "of"/],
  [{ any: [] }, /^where\.any must be a non-empty array/],
  [{ any: [{ messages: {} }] }, /^where\.any\[0\]\.messages is empty/],
])('%j is refused, with its place', (where, why) => {
  expect(() => parseCondition(where, 'where')).toThrow(why)
})

test('a log is counted as it grows, and anew in the next execution', () => {
  const crashed = parseCondition({ 'seen.crash': 1 }, 'where')
  const during = (...kinds: EntryKind[]) => ({ ...view, log: kinds.map((kind) => entry(kind, 'crash')) })
  const growing = during('start')
  expect(crashed(growing)).toBe(false)
  growing.log.push(entry('crash'), entry('event', 'crash'))
  expect([crashed(growing), crashed(growing)]).toEqual([true, true])
  expect(crashed(during('event'))).toBe(false)
})

test('conditions in conditions have an end', () => {
  let where: unknown = { messages: 0 }
  for (let depth = 0; depth < 30; depth++) where = { not: where }
  expect(() => parseCondition(where, 'where')).toThrow(/is nested deeper than 20/)
})
