/**
 * The messages of the stdio protocol, version 1, as docs/stdio-protocol.md specifies it.
 *
 * Invariant: answers are parsed into these types once, here. An answer of another shape is rejected
 * with the path of the wrong field, and has no effects.
 */
import type { Data, NodeId } from '../system.ts'

export const PROTOCOL_VERSION = 1

/** The longest list in an answer; a longer one is taken for an endless loop. */
const MAX_ITEMS = 10_000
const MAX_NODES = 64
const MAX_NAME = 100
/** The most counters: the features of each take memory. */
const MAX_COUNTERS = 1 << 18

export type Command =
  | { readonly command: 'hello'; readonly protocol: number; readonly nodes?: readonly NodeId[] }
  | { readonly command: 'reset'; readonly seed: number }
  | { readonly command: 'start' | 'tick' | 'crash' | 'restart'; readonly node: NodeId; readonly nowMs: number }
  | {
      readonly command: 'deliver' | 'drop'
      readonly node: NodeId
      readonly from: NodeId
      readonly message: Data
      readonly nowMs: number
    }
  | { readonly command: 'timeout'; readonly node: NodeId; readonly timer: string; readonly nowMs: number }
  | {
      readonly command: 'request'
      readonly node: NodeId
      readonly number: number
      readonly request: Data
      readonly nowMs: number
    }

export type CommandName = Command['command']

/** The answer to `hello`. */
export interface Hello {
  readonly protocol: number
  readonly nodes: readonly NodeId[]
  /** The interval of `tick`, in milliseconds of virtual time; undefined: no ticks. */
  readonly tickMs: number | undefined
  /** Whether the program is told of lost messages. */
  readonly drops: boolean
  /** Whether the program takes several commands in one line. */
  readonly batches: boolean
  /** Whether nodes can crash. */
  readonly crashes: boolean
  /** The number of counters of its code; undefined: it counts nothing. */
  readonly counters: number | undefined
  /** Whether the program draws random numbers: the seed of `reset` is drawn from the tape, or 0. */
  readonly random: boolean
}

type TimerChange = { readonly set: string; readonly ms: number } | { readonly clear: string }

export interface Answer {
  readonly sent: readonly { readonly to: NodeId; readonly message: Data }[]
  readonly timers: readonly TimerChange[]
  readonly events: readonly { readonly event: string; readonly data: Data }[]
  readonly replies: readonly { readonly number: number; readonly reply: Data }[]
  /** The states that changed, by node. */
  readonly states: Readonly<Record<NodeId, Data>>
}

/** An error that the program reported. */
export interface ReportedError {
  readonly name: string
  readonly message: string
  /** Empty if it gave none. */
  readonly stack: string
}

/** The answer has a wrong shape; the message begins with the path of the field. */
export class ShapeError extends Error {}

type Fields = Readonly<Record<string, unknown>>

const NOTHING: readonly never[] = []
const NO_STATES = {}
const EFFECTS = new Set(['id', 'sent', 'timers', 'events', 'replies', 'states', 'coverage'])
const SILENT_FIELDS = new Set(['id', 'states', 'coverage'])
const HELLO = new Set(['id', 'protocol', 'nodes', 'tickMs', 'drops', 'batches', 'crashes', 'counters', 'random'])
const BATCH = new Set(['id', 'answers', 'coverage'])
const MESSAGE = new Set(['to', 'message'])
const SET = new Set(['set', 'ms'])
const CLEAR = new Set(['clear'])
const EVENT = new Set(['event', 'data'])
const REPLY = new Set(['number', 'reply'])
const ERROR = new Set(['name', 'message', 'stack'])

/** Commands whose answers may not have effects. */
const SILENT: ReadonlySet<CommandName> = new Set(['reset', 'crash', 'drop'])

/** The error in an answer, if there is one. @throws ShapeError */
export function parseError(answer: Fields): ReportedError | undefined {
  const { error } = answer
  if (error === undefined) return undefined
  if (typeof error === 'string') return { name: 'ProgramError', message: error, stack: '' }
  const said = fieldsOf(error, 'error', ERROR, 'a string, or an object with a "message"')
  const { name = 'ProgramError', message, stack = '' } = said
  return {
    name: textOf(name, 'error.name'),
    message: textOf(message, 'error.message'),
    stack: textOf(stack, 'error.stack'),
  }
}

/** @param wanted the requested names of the nodes. @throws ShapeError */
export function parseHello(answer: Fields, wanted: readonly NodeId[] | undefined): Hello {
  known(answer, '', HELLO)
  const { protocol, nodes, tickMs, drops = false, batches = false, crashes = true, counters, random = false } = answer
  if (protocol !== PROTOCOL_VERSION) {
    throw new ShapeError(`protocol: expected ${PROTOCOL_VERSION}, the version that norn speaks, got ${shown(protocol)}`)
  }
  const names = listOf(nodes, 'nodes').map((name, index) => nameOf(name, `nodes[${index}]`))
  if (names.length === 0 || names.length > MAX_NODES) {
    throw new ShapeError(`nodes: expected the names of 1 to ${MAX_NODES} nodes, got ${names.length}`)
  }
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) throw new ShapeError(`nodes: ${shown(twice)} appears twice`)
  if (wanted !== undefined && (wanted.length !== names.length || wanted.some((name, at) => name !== names[at]))) {
    throw new ShapeError(`nodes: expected those of the command, ${shown(wanted)}, got ${shown(names)}`)
  }
  if (tickMs !== undefined && !(isNumber(tickMs) && tickMs > 0)) {
    throw new ShapeError(`tickMs: expected a number of milliseconds above 0, got ${shown(tickMs)}`)
  }
  if (
    counters !== undefined &&
    !(isNumber(counters) && Number.isInteger(counters) && counters >= 1 && counters <= MAX_COUNTERS)
  ) {
    throw new ShapeError(`counters: expected a number of counters, 1 to ${MAX_COUNTERS}, got ${shown(counters)}`)
  }
  return {
    protocol,
    nodes: names,
    tickMs,
    drops: flagOf(drops, 'drops'),
    batches: flagOf(batches, 'batches'),
    crashes: flagOf(crashes, 'crashes'),
    counters,
    random: flagOf(random, 'random'),
  }
}

/**
 * The answers to the commands of a batch, in order; the last one may be an error.
 *
 * @throws ShapeError unless there is one for each command, up to the first error
 */
export function parseBatch(answer: Fields, commands: number): readonly Fields[] {
  known(answer, '', BATCH)
  const answers = listOf(answer.answers, 'answers')
  const all = answers.map((each, index) => fieldsOf(each, `answers[${index}]`, undefined, 'an object'))
  const covered = all.findIndex(({ coverage }) => coverage !== undefined)
  if (covered >= 0) throw new ShapeError(`answers[${covered}].coverage: must stand beside "answers"`)
  const failed = all.findIndex(({ error }) => error !== undefined)
  const isEarly = failed >= 0 && failed < commands
  if (all.length === (isEarly ? failed + 1 : commands)) return all
  const why = !isEarly ? `one for each of ${commands} commands` : `none after answers[${failed}], which is an error`
  throw new ShapeError(`answers: expected ${why}, got ${all.length}`)
}

/** @param nodes the names of all nodes. @throws ShapeError */
export function parseAnswer(answer: Fields, command: CommandName, nodes: ReadonlySet<NodeId>): Answer {
  if (SILENT.has(command)) silent(answer, command)
  else known(answer, '', EFFECTS)
  const { sent, timers, events, replies, states } = answer
  return {
    sent: each(sent, 'sent', (item) => {
      const { to, message } = fieldsOf(item, '', MESSAGE)
      return { to: nodeOf(to, '.to', nodes), message: given(message, '.message') }
    }),
    timers: each(timers, 'timers', timerOf),
    events: each(events, 'events', (item) => {
      const { event, data } = fieldsOf(item, '', EVENT)
      return { event: nameOf(event, '.event'), data }
    }),
    replies: each(replies, 'replies', (item) => {
      const { number, reply } = fieldsOf(item, '', REPLY)
      if (!Number.isSafeInteger(number)) {
        throw new ShapeError(`.number: expected the number of a request, got ${shown(number)}`)
      }
      return { number: number as number, reply: given(reply, '.reply') }
    }),
    states: states === undefined ? NO_STATES : statesOf(states, nodes),
  }
}

/** Parses a line of JSON. @throws ShapeError unless it is an object */
export function parseLine(line: string): Fields {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    throw new ShapeError('it is not JSON')
  }
  return fieldsOf(value, 'it', undefined, 'an object')
}

function silent(answer: Fields, command: CommandName): void {
  for (const name in answer) {
    if (SILENT_FIELDS.has(name)) continue
    if (EFFECTS.has(name) && Array.isArray(answer[name]) && answer[name].length === 0) continue
    if (!EFFECTS.has(name)) known(answer, '', EFFECTS)
    throw new ShapeError(`${name}: not allowed in the answer to "${command}", which may only have "states"`)
  }
}

function timerOf(item: unknown): TimerChange {
  if (typeof item === 'object' && item !== null && 'clear' in item) {
    return { clear: nameOf(fieldsOf(item, '', CLEAR).clear, '.clear') }
  }
  const { set, ms } = fieldsOf(item, '', SET, 'an object with "set" and "ms", or with "clear"')
  const name = nameOf(set, '.set')
  if (!isNumber(ms) || ms < 0) throw new ShapeError(`.ms: expected milliseconds, 0 or more, got ${shown(ms)}`)
  return { set: name, ms }
}

function statesOf(states: unknown, nodes: ReadonlySet<NodeId>): Readonly<Record<NodeId, Data>> {
  const by = fieldsOf(states, 'states', undefined, 'an object of states by the names of nodes')
  for (const name in by) {
    if (!nodes.has(name)) throw new ShapeError(`states.${name}: there is no such node, but ${[...nodes].join(', ')}`)
  }
  return by
}

/** @param parse throws errors with paths that begin at the item; paths are made only for errors */
function each<Item>(value: unknown, path: string, parse: (item: unknown) => Item): readonly Item[] {
  if (value === undefined) return NOTHING
  const list = listOf(value, path)
  if (list.length > MAX_ITEMS) throw new ShapeError(`${path}: expected ${MAX_ITEMS} items at most, got ${list.length}`)
  return list.map((item, index) => {
    try {
      return parse(item)
    } catch (error) {
      if (!(error instanceof ShapeError)) throw error
      throw new ShapeError(`${path}[${index}]${error.message}`)
    }
  })
}

function listOf(value: unknown, path: string): readonly unknown[] {
  if (Array.isArray(value)) return value
  throw new ShapeError(`${path}: expected a list, got ${shown(value)}`)
}

/** @param names the known fields; undefined: any */
function fieldsOf(value: unknown, path: string, names: ReadonlySet<string> | undefined, what = 'an object'): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ShapeError(`${path}: expected ${what}, got ${shown(value)}`)
  }
  if (names !== undefined) known(value as Fields, path === '' ? '.' : `${path}.`, names)
  return value as Fields
}

function known(value: Fields, before: string, names: ReadonlySet<string>): void {
  for (const name in value) {
    if (names.has(name)) continue
    throw new ShapeError(`${before}${name}: there is no such field; the fields are ${[...names].join(', ')}`)
  }
}

function nodeOf(value: unknown, path: string, nodes: ReadonlySet<NodeId>): NodeId {
  if (typeof value === 'string' && nodes.has(value)) return value
  throw new ShapeError(`${path}: expected the name of a node (${[...nodes].join(', ')}), got ${shown(value)}`)
}

function nameOf(value: unknown, path: string): string {
  if (typeof value === 'string' && value !== '' && value.length <= MAX_NAME) return value
  throw new ShapeError(`${path}: expected a name of 1 to ${MAX_NAME} characters, got ${shown(value)}`)
}

function textOf(value: unknown, path: string): string {
  if (typeof value === 'string') return value
  throw new ShapeError(`${path}: expected a string, got ${shown(value)}`)
}

function flagOf(value: unknown, path: string): boolean {
  if (typeof value === 'boolean') return value
  throw new ShapeError(`${path}: expected true or false, got ${shown(value)}`)
}

function given(value: Data, path: string): Data {
  if (value !== undefined) return value
  throw new ShapeError(`${path}: is missing; null is a value, too`)
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value)
}

/** A value in an error message, cut. */
function shown(value: unknown): string {
  if (value === undefined) return 'nothing'
  const text = JSON.stringify(value)
  return text.length > MAX_NAME ? `${text.slice(0, MAX_NAME)}…` : text
}
