/** What the events of a log mean to the built-in models: their inputs and outputs. */
import type { HistoryEvent } from '../history/event.ts'
import type { Reading } from '../history/history-builder.ts'
import { HistoryError } from '../history/history-error.ts'
import { canonical } from './canonical.ts'
import { ModelError } from './model.ts'

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

type Kind = 'nothing' | 'value' | 'number' | 'array' | 'pair'

interface Signature {
  readonly f: string
  /** What the value of a call is, and what it returns. */
  readonly takes: Kind
  readonly returns: Kind
}

/** The operations of each model, by the names that logs have for them. */
const SIGNATURES: Readonly<Record<ModelName, ReadonlyMap<string, Signature>>> = {
  register: signatures({ read: ['nothing', 'value'], write: ['value'] }),
  'cas-register': signatures({ read: ['nothing', 'value'], write: ['value'], cas: ['pair'] }),
  counter: signatures({ read: ['nothing', 'number'], add: ['number'] }),
  set: signatures({ read: ['nothing', 'array'], add: ['value'], remove: ['value'] }),
  queue: signatures({ enqueue: ['value'], dequeue: ['nothing', 'value'] }),
  stack: signatures({ push: ['value'], pop: ['nothing', 'value'] }),
  kv: signatures({ get: ['nothing', 'value'], put: ['value'], append: ['value'] }),
  mutex: signatures({ acquire: ['nothing'], release: ['nothing'] }),
}

function signatures(operations: Readonly<Record<string, readonly [takes: Kind, returns?: Kind]>>) {
  const entries = Object.entries(operations)
  return new Map(entries.map(([f, [takes, returns = 'nothing']]) => [f, { f, takes, returns }]))
}

/** @public */
export const MODEL_NAMES = Object.keys(SIGNATURES) as readonly ModelName[]

/**
 * The meaning of events to a built-in model.
 *
 * @returns a function that throws a HistoryError, with the line, if an event has no meaning
 * @public
 */
export function readingFor(model: ModelName): Reading<ModelInput, unknown> {
  const known = SIGNATURES[model]
  return (call, end) => {
    const signature = known.get(call.f)
    if (signature === undefined)
      throw new HistoryError(
        `${call.f} is not an operation of the model ${model}: expected ${[...known.keys()].join(', ')}`,
        call.line,
      )
    const input = inputOf(model, signature, call)
    if (end?.type !== 'ok' || signature.returns === 'nothing') return { input, output: undefined }
    if (!isOf(signature.returns, end.value)) throw mismatch(model, `${call.f} returns`, signature.returns, end)
    return { input, output: end.value }
  }
}

/**
 * The partition of a built-in model: the key of the input. A check asks for it of every operation, so
 * that an input of another model is refused instead of being taken for one of this model.
 *
 * @returns a function that throws a ModelError
 */
export function keyFor(model: ModelName): (input: ModelInput) => unknown {
  const known = SIGNATURES[model]
  return (input) => {
    const takes = known.get(input?.f)?.takes
    if (takes === undefined)
      throw new ModelError(
        `${canonical(input)} is not an operation of the model ${model}: expected f to be ${[...known.keys()].join(', ')}`,
      )
    if (takes === 'number' && !('value' in input && typeof input.value === 'number'))
      throw new ModelError(`${canonical(input)}: expected a number as the value in the model ${model}`)
    return input.key
  }
}

function inputOf(model: ModelName, { f, takes }: Signature, call: HistoryEvent): ModelInput {
  const { key, value, line } = call
  if (model === 'kv' && key === undefined)
    throw new HistoryError(`${f} of the model kv has no key: expected a field key, or a value [key value]`, line)
  if (takes === 'nothing') return { f: f as Parameterless, key }
  if (!isOf(takes, value)) throw mismatch(model, `${f} takes`, takes, call)
  if (takes === 'pair') {
    const [from, to] = value as readonly [unknown, unknown]
    return { f: 'cas', from, to, key }
  }
  return { f: f as Parameterised, value, key }
}

function isOf(kind: Kind, value: unknown): boolean {
  if (kind === 'number') return typeof value === 'number'
  // A set that nothing was added to may not exist yet.
  if (kind === 'array') return Array.isArray(value) || value === null
  return kind !== 'pair' || (Array.isArray(value) && value.length === 2)
}

const KIND_TEXTS: Readonly<Record<Kind, string>> = {
  nothing: 'nothing',
  value: 'a value',
  number: 'a number',
  array: 'an array',
  pair: 'a value [from to]',
}

function mismatch(model: ModelName, what: string, kind: Kind, { value, line }: HistoryEvent): HistoryError {
  const found = (JSON.stringify(value) ?? 'nothing').slice(0, 60)
  return new HistoryError(`${what} ${KIND_TEXTS[kind]} in the model ${model}, found ${found}`, line)
}
