/** Records the history of an object with an asynchronous API while it is used. */
import { HistoryError } from './history-error.ts'
import { HistoryRecorder, type HistoryWatch } from './history-recorder.ts'
import type { History, Outcome } from './operation.ts'

/**
 * What a call of each method means to a model.
 *
 * @public
 */
export type RecordedMethods<Client extends object, Input> = {
  readonly [Name in keyof Client]?: Client[Name] extends (...args: infer Arguments) => unknown
    ? (...args: Arguments) => Input
    : never
}

/** The methods that are recorded by default, as the built-in models take them. */
const METHODS: Readonly<Record<string, (...args: readonly unknown[]) => unknown>> = {
  ...Object.fromEntries(['read', 'dequeue', 'pop', 'acquire', 'release'].map((f) => [f, () => ({ f })])),
  ...Object.fromEntries(
    ['write', 'add', 'remove', 'enqueue', 'push'].map((f) => [f, (value: unknown) => ({ f, value })]),
  ),
  cas: (from, to) => ({ f: 'cas', from, to }),
  get: (key) => ({ f: 'get', key }),
  put: (key, value) => ({ f: 'put', key, value }),
  set: (key, value) => ({ f: 'put', key, value }),
  append: (key, value) => ({ f: 'append', key, value }),
  txn: (steps) => steps,
}

/** @public */
export interface RecordOptions<Input = unknown> {
  /**
   * What is known of an operation that ended with this error. By default it is unknown whether it
   * took effect; `fail` if it surely did not.
   */
  readonly outcome?: (error: unknown) => Exclude<Outcome, 'ok'>
  /** Learns of each call and each end as it happens; what it throws rejects the call. */
  readonly watch?: HistoryWatch<Input>
}

/**
 * The history of one object, as it is recorded.
 *
 * @public
 */
export interface Recording<Client extends object, Input> {
  /**
   * The object; its recorded methods are operations of a process without one at that time. For
   * models that ask for the order of each process, see `as`.
   */
  readonly client: Client
  /**
   * The object as a process uses it: its operations are those of this process, which runs one at a
   * time.
   */
  as(process: number | string): Client
  /** The operations so far, in the order of their calls; those that have not ended are unknown. */
  history(): History<Input>
}

/**
 * Wraps an object so that calls of its methods become operations of a history.
 *
 * ```ts
 * const { client, history } = record(cache, {
 *   get: (key) => ({ f: 'get', key }),
 *   set: (key, value) => ({ f: 'put', key, value }),
 * })
 * await Promise.all([client.set('a', 1), client.get('a')])
 * checkLinearizable(history(), MODELS.kv)
 * ```
 *
 * Arguments and results are copied when they are recorded, since the program may change them.
 *
 * @param methods the input of each method that is recorded; the others are called without a record.
 *   By default the methods with the names of operations of the built-in models are recorded: read,
 *   write, cas, get, put, set, append, add, remove, enqueue, dequeue, push, pop, acquire, release, txn
 * @throws TypeError if there is no such method
 * @public
 */
export function record<Client extends object, Input = unknown>(
  client: Client,
  methods?: RecordedMethods<Client, Input>,
  { outcome = () => 'unknown', watch }: RecordOptions<Input> = {},
): Recording<Client, Input> {
  const recorder = new HistoryRecorder<Input>(watch)
  const isMethod = (name: string) => typeof client[name as keyof Client] === 'function'
  const chosen = Object.entries(methods ?? METHODS) as [string, (...args: readonly unknown[]) => Input][]
  const inputs = new Map(methods === undefined ? chosen.filter(([name]) => isMethod(name)) : chosen)
  const missing = [...inputs.keys()].find((name) => !isMethod(name))
  if (missing !== undefined) throw new TypeError(`record: ${missing} is not a method of the object`)
  if (inputs.size === 0)
    throw new TypeError(
      `record: the object has none of the methods ${Object.keys(METHODS).join(', ')}; ` +
        "say what its methods are, such as { lookUp: (key) => ({ f: 'get', key }) }",
    )
  const as = (process: number | string | undefined) =>
    new Proxy(client, {
      get(target, name) {
        const member = Reflect.get(target, name, target) as unknown
        if (typeof member !== 'function') return member
        const input = typeof name === 'string' ? inputs.get(name) : undefined
        if (input === undefined) return member.bind(target)
        return (...args: unknown[]) =>
          run(recorder, outcome, { input: copied(input(...args)), process }, () => member.apply(target, args))
      },
    })
  return { client: as(undefined), as, history: () => recorder.history() }
}

/** Records a call, and its end. */
function run<Input>(
  recorder: HistoryRecorder<Input>,
  outcome: NonNullable<RecordOptions<Input>['outcome']>,
  { input, process }: { readonly input: Input; readonly process: number | string | undefined },
  call: () => unknown,
): unknown {
  const index = recorder.call(input, process)
  const returned = (output: unknown) => {
    recorder.end(index, { outcome: 'ok', output: copied(output) })
    return output
  }
  const failed = (error: unknown) => {
    recorder.end(index, { outcome: outcome(error) })
    throw error
  }
  let result: unknown
  try {
    result = call()
  } catch (error) {
    return failed(error)
  }
  return isThenable(result) ? result.then(returned, failed) : returned(result)
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as { readonly then?: unknown } | null | undefined)?.then === 'function'
}

/** @throws HistoryError if a value is no data */
function copied<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value
  try {
    return structuredClone(value)
  } catch (error) {
    throw new HistoryError(`a value cannot be recorded, since it is not plain data: ${(error as Error).message}`)
  }
}
