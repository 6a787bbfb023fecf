/**
 * Conditions over a moment of an execution, as files of key frames write them: plain JSON, parsed
 * once, refused there.
 *
 *     { "nodes.a.state.role": "leader",             a path into a node: `state…` or `up`
 *       "some": { "state.term": { "atLeast": 2 } }, some node; so `every`
 *       "count": { "of": { "up": false }, "is": { "atMost": 1 } },
 *       "events.elected": { "atLeast": 2 },         events of that name so far
 *       "seen.crash": { "atLeast": 1 },             entries of that kind in the log so far
 *       "messages": 0, "nowMs": { "atMost": 500 },  messages under way; virtual time
 *       "not": { … }, "any": [{ … }, { … }] }
 *
 * All of an object must hold. What a path has to be is plain data that is equal to what is there,
 * or operators: `equals`, `not`, `atLeast`, `atMost`, `oneOf`, `includes`, `size`, `exists`.
 * Numbers of events and entries without an operator are exact. The words are few on purpose: what
 * they cannot say, a predicate in TypeScript can.
 *
 * Invariant: a condition changes nothing and never throws. A path that leads nowhere gives
 * `undefined`.
 */

import type { EntryKind } from '../log.ts'
import type { ClusterView, NodeView, Seen } from '../views.ts'
import { equalData } from './equal-data.ts'
import type { LogTally } from './log-tally.ts'

/** What a condition is asked about. */
export interface Moment {
  readonly view: ClusterView
  readonly tally: LogTally
}

export type Condition = (moment: Moment) => boolean

/**
 * A path that a condition names: whether it was ever looked at, and whether anything was ever
 * there.
 */
export interface PathUse {
  readonly path: string
  asked: boolean
  found: boolean
}

/** What is wrong with a condition, and where in it. */
export class ConditionError extends Error {}

const ENTRY_KINDS = [
  ...(['start', 'send', 'deliver', 'lost', 'duplicate', 'timeout', 'request', 'reply', 'event'] as const),
  ...(['crash', 'restart', 'partition', 'heal', 'calm'] as const),
] satisfies readonly EntryKind[]

type Test<Value> = (value: Value) => boolean

/** Conditions in conditions go no deeper. */
const MAX_DEPTH = 20

/**
 * Parses a condition.
 *
 * @param at its place in the file, for errors
 * @param paths gets the paths that it names: one at which nothing ever is may be a slip
 * @throws ConditionError that says what is wrong, where, and what there is instead
 */
export function parseCondition(value: unknown, at: string, paths: PathUse[] = [], depth = 0): Condition {
  const tests = Object.entries(record(value, at, depth)).map(([key, expected]): Condition => {
    const place = `${at}.${key}`
    const inner = (given: unknown, where = place) => parseCondition(given, where, paths, depth + 1)
    if (key === 'not') return negated(inner(expected))
    if (key === 'any') return either(list(expected, place).map((each, index) => inner(each, `${place}[${index}]`)))
    if (key === 'some' || key === 'every') {
      const test = nodeTest(expected, place, paths, depth + 1)
      return key === 'some' ? ({ view }) => view.nodes.some(test) : ({ view }) => view.nodes.every(test)
    }
    if (key === 'count') {
      const { of, is, ...others } = record(expected, place, depth)
      const [unknown] = Object.keys(others)
      if (unknown !== undefined || of === undefined || is === undefined)
        throw new ConditionError(`${place} is to be { "of": { … }, "is": … }${unknown ? `, without "${unknown}"` : ''}`)
      const test = nodeTest(of, `${place}.of`, paths, depth + 1)
      const number = expectation(is, `${place}.is`, depth)
      return ({ view }) => number(view.nodes.filter(test).length)
    }
    const test = expectation(expected, place, depth)
    if (key === 'nowMs') return ({ view }) => test(view.nowMs)
    if (key === 'messages') return ({ view }) => test(view.messages.length)
    const counted = /^(events|seen)\.(.+)$/.exec(key)
    if (counted?.[1] === 'events') return ({ tally }) => test(tally.events(counted[2]!))
    if (counted?.[1] === 'seen' && !(ENTRY_KINDS as readonly string[]).includes(counted[2]!))
      throw new ConditionError(`${place} is unknown: the log has entries of the kinds ${ENTRY_KINDS.join(', ')}`)
    if (counted?.[1] === 'seen') return ({ tally }) => test(tally.entries(counted[2]!))
    const node = /^nodes\.(.+?)\.((?:up|state)(?:\..+)?)$/.exec(key)
    if (node === null)
      throw new ConditionError(
        `${place} is unknown: there are "nodes.NAME.state…", "nodes.NAME.up", "some", "every", "count", "events.NAME", "seen.KIND", "messages", "nowMs", "not" and "any"`,
      )
    const [, name, path] = node
    const read = reader(path!, key, paths)
    return ({ view }) => {
      const found = view.nodes.find(({ id }) => id === name)
      // Of a node that is not there it is asked all the same: a slip in the name is told as one in
      // the path is.
      const value = read(found)
      return found !== undefined && test(value)
    }
  })
  return (moment) => tests.every((holds) => holds(moment))
}

/** A condition on one node: paths that begin with `state`, `up` or `id`; `not` and `any`. */
function nodeTest(value: unknown, at: string, paths: PathUse[], depth: number): Test<NodeView> {
  const tests = Object.entries(record(value, at, depth)).map(([key, expected]): Test<NodeView> => {
    const place = `${at}.${key}`
    if (key === 'not') return negated(nodeTest(expected, place, paths, depth + 1))
    if (key === 'any')
      return either(list(expected, place).map((each, index) => nodeTest(each, `${place}[${index}]`, paths, depth + 1)))
    if (!/^(?:up|id|state)(?:\..+)?$/.test(key))
      throw new ConditionError(`${place} is unknown: of a node there are "state…", "up", "id", "not" and "any"`)
    const test = expectation(expected, place, depth)
    const read = reader(key, key, paths)
    return (node) => test(read(node))
  })
  return (node) => tests.every((holds) => holds(node))
}

/**
 * What a value has to be. An object is one of operators: an object that is meant stands under
 * `equals`.
 */
function expectation(expected: unknown, at: string, depth: number): Test<Seen> {
  if (typeof expected !== 'object' || expected === null || Array.isArray(expected))
    return (value) => equalData(value, expected)
  const tests = Object.entries(record(expected, at, depth)).map(([operator, given]): Test<Seen> => {
    const place = `${at}.${operator}`
    switch (operator) {
      case 'equals':
        return (value) => equalData(value, given)
      case 'not':
        return negated(expectation(given, place, depth + 1))
      case 'atLeast': {
        const least = number(given, place)
        return (value) => typeof value === 'number' && value >= least
      }
      case 'atMost': {
        const most = number(given, place)
        return (value) => typeof value === 'number' && value <= most
      }
      case 'oneOf': {
        const values = list(given, place)
        return (value) => values.some((each) => equalData(value, each))
      }
      case 'includes':
        return (value) => items(value)?.some((item) => equalData(item, given)) ?? false
      case 'size': {
        const test = expectation(given, place, depth + 1)
        return (value) => {
          const size = items(value)?.length
          return size !== undefined && test(size)
        }
      }
      case 'exists': {
        if (typeof given !== 'boolean') throw new ConditionError(`${place} is to be true or false`)
        return (value) => (value !== undefined && value !== null) === given
      }
      default:
        throw new ConditionError(
          `${place} is no operator: there are equals, not, atLeast, atMost, oneOf, includes, size and exists`,
        )
    }
  })
  return (value) => tests.every((holds) => holds(value))
}

function negated<Value>(test: Test<Value>): Test<Value> {
  return (value) => !test(value)
}

function either<Value>(tests: readonly Test<Value>[]): Test<Value> {
  return (value) => tests.some((holds) => holds(value))
}

/**
 * Reads what lies at a path: of objects, arrays and maps; undefined if nothing does. @param name
 * the path as it is told
 */
function reader(path: string, name: string, paths: PathUse[]): (value: Seen) => Seen {
  const keys = path.split('.')
  const use: PathUse = { path: name, asked: false, found: false }
  paths.push(use)
  return (value) => {
    use.asked = true
    let here = value
    for (const key of keys) {
      if (typeof here !== 'object' || here === null) return undefined
      here = here instanceof Map ? here.get(key) : here[key]
    }
    if (here !== undefined) use.found = true
    return here
  }
}

/** The parts of an array, a set, a map (its keys), a text or an object (its keys). */
function items(value: Seen): readonly Seen[] | undefined {
  if (typeof value === 'string') return [...value]
  if (typeof value !== 'object' || value === null) return undefined
  if (Array.isArray(value)) return value
  if (value instanceof Set || value instanceof Map) return [...value.keys()]
  return Object.keys(value)
}

function record(value: unknown, at: string, depth: number): Record<string, unknown> {
  if (depth > MAX_DEPTH) throw new ConditionError(`${at} is nested deeper than ${MAX_DEPTH}`)
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new ConditionError(`${at} is to be an object, { … }`)
  if (Object.keys(value).length === 0) throw new ConditionError(`${at} is empty: it would always hold`)
  return value as Record<string, unknown>
}

function list(value: unknown, at: string): readonly unknown[] {
  if (Array.isArray(value) && value.length > 0) return value
  throw new ConditionError(`${at} is to be a list that is not empty, [ … ]`)
}

function number(value: unknown, at: string): number {
  if (typeof value === 'number') return value
  throw new ConditionError(`${at} is to be a number`)
}
