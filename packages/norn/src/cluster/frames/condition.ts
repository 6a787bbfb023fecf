/**
 * Conditions on one moment of an execution, as files of key frames write them in JSON.
 *
 *     { "nodes.a.state.role": "leader",             a path into a node: `state…` or `up`
 *       "some": { "state.term": { "atLeast": 2 } }, some node; likewise `every`
 *       "count": { "of": { "up": false }, "is": { "atMost": 1 } },
 *       "events.elected": { "atLeast": 2 },         events of that name so far
 *       "seen.crash": { "atLeast": 1 },             log entries of that kind so far
 *       "messages": 0, "nowMs": { "atMost": 500 },  messages under way; virtual time
 *       "not": { … }, "any": [{ … }, { … }] }
 *
 * All keys of an object must hold. Invariant: a compiled condition changes nothing and never throws;
 * a path that leads nowhere reads `undefined`.
 */
import type { EntryKind, LogEntry } from '../log.ts'
import type { ClusterView, NodeView } from '../views.ts'

/** A path that a condition names: whether it was ever read, and whether it ever had a value. */
export interface PathUse {
  readonly path: string
  read: boolean
  found: boolean
}

/** The message says what is wrong with a condition, and where. */
export class ConditionError extends Error {}

const ENTRY_KINDS = [
  ...(['start', 'send', 'deliver', 'lost', 'duplicate', 'timeout', 'request', 'reply', 'event'] as const),
  ...(['crash', 'restart', 'partition', 'heal', 'calm'] as const),
] satisfies readonly EntryKind[]

/** Bound on the nesting of conditions. */
const MAX_DEPTH = 20

type Test<Value> = (value: Value) => boolean

/**
 * Compiles a condition.
 *
 * @param at its place in the file, for errors
 * @param paths receives the paths that it names: one that never has a value may be misspelled
 * @throws ConditionError
 */
export function parseCondition(value: unknown, at: string, paths: PathUse[] = []): Test<ClusterView> {
  return conjunction(value, at, 0, (key, expected, place): Test<ClusterView> => {
    if (key === 'some' || key === 'every') {
      const test = nodeTest(expected, place, paths)
      return ({ nodes }) => nodes[key](test)
    }
    if (key === 'count') {
      const { of, is, ...others } = record(expected, place)
      if (of === undefined || is === undefined || Object.keys(others).length > 0)
        throw new ConditionError(`${place} must be { "of": { … }, "is": … }, without other keys`)
      const [test, number] = [nodeTest(of, `${place}.of`, paths), expectation(is, `${place}.is`)]
      return ({ nodes }) => number(nodes.filter(test).length)
    }
    const test = expectation(expected, place)
    if (key === 'nowMs') return ({ nowMs }) => test(nowMs)
    if (key === 'messages') return ({ messages }) => test(messages.length)
    const counted = /^(events|seen)\.(.+)$/.exec(key)
    if (counted?.[1] === 'seen' && !(ENTRY_KINDS as readonly string[]).includes(counted[2]!))
      throw new ConditionError(`${place} is not a kind of log entry: use one of ${ENTRY_KINDS.join(', ')}`)
    if (counted !== null) {
      const count = counter(counted[1] === 'seen' ? 'kind' : 'name', counted[2]!)
      return ({ log }) => test(count(log))
    }
    const node = /^nodes\.(.+?)\.((?:up|state)(?:\..+)?)$/.exec(key)
    if (node === null)
      throw new ConditionError(
        `${place} is unknown: use "nodes.NAME.state…", "nodes.NAME.up", "some", "every", "count", "events.NAME", "seen.KIND", "messages", "nowMs", "not" or "any"`,
      )
    const read = reader(node[2]!, key, paths)
    return ({ nodes }) => {
      const found = nodes.find(({ id }) => id === node[1])
      // A missing node is read too, so that a misspelled name shows as one without a value.
      const value = read(found)
      return found !== undefined && test(value)
    }
  })
}

/** A condition on one node: paths that begin with `state`, `up` or `id`; `not` and `any`. */
function nodeTest(value: unknown, at: string, paths: PathUse[]): Test<NodeView> {
  return conjunction(value, at, 0, (key, expected, place) => {
    if (!/^(?:up|id|state)(?:\..+)?$/.test(key))
      throw new ConditionError(`${place} is unknown: of a node, use "state…", "up", "id", "not" or "any"`)
    const [test, read] = [expectation(expected, place), reader(key, key, paths)]
    return (node) => test(read(node))
  })
}

/** All keys of an object, of which `not` and `any` combine objects of the same kind. */
function conjunction<Subject>(
  value: unknown,
  at: string,
  depth: number,
  compile: (key: string, expected: unknown, place: string) => Test<Subject>,
): Test<Subject> {
  const tests = Object.entries(record(value, at, depth)).map(([key, expected]): Test<Subject> => {
    const place = `${at}.${key}`
    const inner = (given: unknown, where: string) => conjunction(given, where, depth + 1, compile)
    if (key === 'not') return negated(inner(expected, place))
    if (key !== 'any') return compile(key, expected, place)
    const alternatives = list(expected, place).map((each, index) => inner(each, `${place}[${index}]`))
    return (subject) => alternatives.some((holds) => holds(subject))
  })
  return (subject) => tests.every((holds) => holds(subject))
}

const OPERATORS: Readonly<Record<string, (given: unknown, at: string, depth: number) => Test<unknown>>> = {
  equals: (given) => (value) => equalData(value, given),
  not: (given, at, depth) => negated(expectation(given, at, depth + 1)),
  atLeast: (given, at) => bound(given, at, (value, least) => value >= least),
  atMost: (given, at) => bound(given, at, (value, most) => value <= most),
  oneOf(given, at) {
    const values = list(given, at)
    return (value) => values.some((each) => equalData(value, each))
  },
  includes: (given) => (value) => items(value)?.some((item) => equalData(item, given)) ?? false,
  size(given, at, depth) {
    const test = expectation(given, at, depth + 1)
    return (value) => items(value) !== undefined && test(items(value)!.length)
  },
  exists(given, at) {
    if (typeof given !== 'boolean') throw new ConditionError(`${at} must be true or false`)
    return (value) => (value !== undefined && value !== null) === given
  },
}

/** What a value must be: plain data, or an object of operators. */
function expectation(expected: unknown, at: string, depth = 0): Test<unknown> {
  if (typeof expected !== 'object' || expected === null || Array.isArray(expected))
    return (value) => equalData(value, expected)
  const tests = Object.entries(record(expected, at, depth)).map(([name, given]) => {
    if (!Object.hasOwn(OPERATORS, name))
      throw new ConditionError(`${at}.${name} is not an operator: use ${Object.keys(OPERATORS).join(', ')}`)
    return OPERATORS[name]!(given, `${at}.${name}`, depth)
  })
  return (value) => tests.every((holds) => holds(value))
}

function negated<Value>(test: Test<Value>): Test<Value> {
  return (value) => !test(value)
}

function bound(given: unknown, at: string, holds: (value: number, limit: number) => boolean): Test<unknown> {
  if (typeof given !== 'number') throw new ConditionError(`${at} must be a number`)
  return (value) => typeof value === 'number' && holds(value, given)
}

/** Reads the value at a path through objects, arrays and maps. @param name the path, for reports */
function reader(path: string, name: string, paths: PathUse[]): (value: unknown) => unknown {
  const keys = path.split('.')
  const use: PathUse = { path: name, read: false, found: false }
  paths.push(use)
  return (value) => {
    use.read = true
    let here = value
    for (const key of keys) {
      if (typeof here !== 'object' || here === null) return undefined
      here = here instanceof Map ? here.get(key) : (here as Record<string, unknown>)[key]
    }
    use.found ||= here !== undefined
    return here
  }
}

/** Counts the entries of a kind, or the events of a name, in a log that only grows. */
function counter(field: 'kind' | 'name', wanted: string): (log: readonly LogEntry[]) => number {
  let [log, looked, count]: [readonly LogEntry[], number, number] = [[], 0, 0]
  return (now) => {
    if (now !== log) [log, looked, count] = [now, 0, 0]
    for (; looked < log.length; looked++)
      if (log[looked]![field] === wanted && (field === 'kind' || log[looked]!.kind === 'event')) count++
    return count
  }
}

/** The elements of an array or a set, the characters of a string, the keys of a map or an object. */
function items(value: unknown): readonly unknown[] | undefined {
  if (typeof value === 'string' || value instanceof Set) return [...value]
  if (typeof value !== 'object' || value === null) return undefined
  return value instanceof Map ? [...value.keys()] : Array.isArray(value) ? value : Object.keys(value)
}

/** Whether a value has the content of JSON data, whatever its classes. */
function equalData(value: unknown, data: unknown): boolean {
  if (typeof data !== 'object' || data === null) return value === data
  if (typeof value !== 'object' || value === null) return false
  const plain = value instanceof Set ? [...value] : value instanceof Map ? Object.fromEntries(value) : value
  if (Array.isArray(plain) !== Array.isArray(data)) return false
  const at = (holder: object, key: string) => (holder as Record<string, unknown>)[key]
  const keys = Object.keys(plain).filter((key) => Array.isArray(plain) || at(plain, key) !== undefined)
  const wanted = Object.keys(data)
  return keys.length === wanted.length && wanted.every((key) => equalData(at(plain, key), at(data, key)))
}

function record(value: unknown, at: string, depth = 0): Record<string, unknown> {
  if (depth > MAX_DEPTH) throw new ConditionError(`${at} is nested deeper than ${MAX_DEPTH}`)
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new ConditionError(`${at} must be an object, { … }`)
  if (Object.keys(value).length === 0) throw new ConditionError(`${at} is empty: it would always hold`)
  return value as Record<string, unknown>
}

function list(value: unknown, at: string): readonly unknown[] {
  if (Array.isArray(value) && value.length > 0) return value
  throw new ConditionError(`${at} must be a non-empty array, [ … ]`)
}
