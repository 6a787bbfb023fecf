/**
 * What the events of a log mean to the built-in models: their inputs and outputs.
 *
 * Logs of Jepsen have an operation on one of several independent objects as a pair, `[key value]`:
 * `:f :read, :value [3 nil]`. It is told from an operation on one object by the calls that have no
 * other value, such as a read: all calls of a history are pairs or none is.
 */
import type { HistoryEvent } from '../history/event.ts'
import type { Reading } from '../history/history-builder.ts'
import { HistoryError } from '../history/history-error.ts'

/** @public */
export type ModelName = 'register' | 'cas-register' | 'counter' | 'set' | 'queue' | 'stack' | 'kv' | 'mutex'

/**
 * A call of an operation on an object of a built-in model. `key` names the object if there are
 * several.
 *
 * @public
 */
export type ModelInput =
  | { readonly f: Parameterless; readonly key?: unknown }
  | { readonly f: Parameterised; readonly value: unknown; readonly key?: unknown }
  | { readonly f: 'cas'; readonly from: unknown; readonly to: unknown; readonly key?: unknown }

type Parameterless = 'read' | 'dequeue' | 'pop' | 'acquire' | 'release' | 'get'
type Parameterised = 'write' | 'add' | 'remove' | 'enqueue' | 'push' | 'put' | 'append'

/** What the value of a call is. */
type Parameter = 'none' | 'value' | 'number' | 'pair'

/** What a call returns. */
type Returned = 'nothing' | 'value' | 'number' | 'array'

interface Signature {
  readonly f: string
  readonly parameter: Parameter
  readonly returned: Returned
}

const READ: Signature = { f: 'read', parameter: 'none', returned: 'value' }
const WRITE: Signature = { f: 'write', parameter: 'value', returned: 'nothing' }
const CAS: Signature = { f: 'cas', parameter: 'pair', returned: 'nothing' }
const call = (f: string, parameter: Parameter = 'value', returned: Returned = 'nothing'): Signature => ({
  f,
  parameter,
  returned,
})

/** The operations of each model, by the names that logs have for them. */
const SIGNATURES: Readonly<Record<ModelName, Readonly<Record<string, Signature>>>> = {
  register: { read: READ, write: WRITE },
  'cas-register': { read: READ, write: WRITE, cas: CAS },
  counter: {
    add: call('add', 'number'),
    inc: call('add', 'number'),
    read: call('read', 'none', 'number'),
  },
  set: { add: call('add'), remove: call('remove'), read: call('read', 'none', 'array') },
  queue: { enqueue: call('enqueue'), dequeue: call('dequeue', 'none', 'value') },
  stack: { push: call('push'), pop: call('pop', 'none', 'value') },
  kv: {
    get: call('get', 'none', 'value'),
    read: call('get', 'none', 'value'),
    put: call('put'),
    set: call('put'),
    write: call('put'),
    append: call('append'),
  },
  mutex: { acquire: call('acquire', 'none'), release: call('release', 'none') },
}

export const MODEL_NAMES = Object.keys(SIGNATURES) as readonly ModelName[]

/**
 * The meaning of events to a built-in model. For one history: it learns from the events whether
 * values are pairs of a key and a value.
 *
 * @returns a function that throws a HistoryError, with the line, if an event has no meaning
 * @public
 */
export function readingFor(model: ModelName): Reading<ModelInput, unknown> {
  const keys = new Keys(model === 'kv')
  const signatures = SIGNATURES[model]
  return (call, end) => {
    const signature = Object.hasOwn(signatures, call.f) ? signatures[call.f] : undefined
    if (signature === undefined) {
      const known = Object.keys(signatures).join(', ')
      throw new HistoryError(`${model}: the operation ${call.f} is unknown: expected ${known}`, call.line)
    }
    const { f, returned } = signature
    const input = inputOf(model, signature, call, keys)
    if (end?.type !== 'ok' || returned === 'nothing') return { input, output: undefined }
    const output = keys.valueOf(call, end, input)
    const wrong =
      returned === 'number' ? typeof output !== 'number' : returned === 'array' ? !Array.isArray(output) : false
    if (wrong)
      throw new HistoryError(
        `${model}: ${f} returns ${returned === 'number' ? 'a number' : 'an array'}, found ${shown(output)}`,
        end.line,
      )
    return { input, output }
  }
}

interface MutableInput {
  f: string
  key: unknown
  value: unknown
}

function inputOf(model: ModelName, { f, parameter }: Signature, event: HistoryEvent, keys: Keys): ModelInput {
  const input: MutableInput = { f, key: undefined, value: event.value }
  keys.split(input, event, parameter)
  const { key, value } = input
  if (parameter === 'none') return { f: f as Parameterless, key }
  if (parameter === 'pair') {
    if (!isPair(value))
      throw new HistoryError(`${model}: ${f} needs a value [from to], found ${shown(value)}`, event.line)
    return { f: 'cas', from: value[0], to: value[1], key }
  }
  if (parameter === 'number' && typeof value !== 'number')
    throw new HistoryError(`${model}: ${f} needs a number, found ${shown(value)}`, event.line)
  return input as ModelInput
}

/** Tells pairs of a key and a value from values. */
class Keys {
  /** Undefined until an event tells. */
  #arePairs: boolean | undefined
  /** Inputs whose value may be a pair. */
  #undecided: MutableInput[] = []

  constructor(arePairs: boolean) {
    if (arePairs) this.#arePairs = true
  }

  /** Moves the key out of the value of a call. */
  split(input: MutableInput, event: HistoryEvent, parameter: Parameter): void {
    if (event.key !== undefined) {
      input.key = keyOf(event.key)
      return
    }
    if (this.#arePairs === undefined) {
      this.#arePairs = this.#decide(event, parameter)
      if (this.#arePairs === undefined) this.#undecided.push(input)
      if (this.#arePairs === true) for (const each of this.#undecided) this.#move(each, undefined)
      if (this.#arePairs !== undefined) this.#undecided = []
    }
    if (this.#arePairs === true) this.#move(input, event.line)
  }

  /** The value without the key, of the end of a call. */
  valueOf(call: HistoryEvent, { value, line }: HistoryEvent, input: { readonly key?: unknown }): unknown {
    if (this.#arePairs !== true || call.key !== undefined) return value
    if (isPair(value) && keyOf(value[0]) === input.key) return value[1]
    throw new HistoryError(`${call.f} returns ${shown(value)}: expected [${shown(input.key)} value]`, line)
  }

  #decide(event: HistoryEvent, parameter: Parameter): boolean | undefined {
    const { value } = event
    if (!isPair(value)) return false
    if (parameter === 'pair') return isPair(value[1])
    if (parameter === 'none') return value[1] === null
    if (parameter === 'number') return true
    return undefined
  }

  #move(input: MutableInput, line: number | undefined): void {
    const { value } = input
    if (!isPair(value))
      throw new HistoryError(`${input.f} has the value ${shown(value)}: expected [key value], or the field key`, line)
    input.key = keyOf(value[0])
    input.value = value[1]
  }
}

function isPair(value: unknown): value is readonly [unknown, unknown] {
  return Array.isArray(value) && value.length === 2
}

/** A value that can be compared with `===`. */
function keyOf(key: unknown): unknown {
  return typeof key === 'object' && key !== null ? JSON.stringify(key) : key
}

function shown(value: unknown): string {
  return (JSON.stringify(value) ?? 'nothing').slice(0, 60)
}
