/**
 * The three forms in which Node calls a function of the binding: synchronous, with a callback, or
 * for a promise.
 *
 * Invariant: callbacks get Node's arguments (`FSReqCallback::Reject` and `Resolve`): one error;
 * null alone without a result; null and the result. They run in the context of the request, and
 * the native object of a promise has one too, as in Node. A synchronous error has the stack of the call.
 */
import type { PoolOperation } from '../loop/pool.ts'
import { contextFor, endContext, newContext } from '../realm/callback-scope.ts'
import type { Files } from './files.ts'
import type { FilesHost } from './host.ts'
import type { FilesBinding, Native, Request } from './internals.ts'
import { type Arguments, capture, explaining, type Operation, perform, resourceOf } from './operation.ts'
import { type StatValues, share } from './stats.ts'

/** A task for the pool, apart from its waiter. */
export interface Task {
  readonly kind: string
  readonly resource: string
  /** The type of the native object that settles a promise, if it is not `FSREQPROMISE`. */
  readonly promised?: string
  effect(): unknown
  readonly divided?: PoolOperation['divided']
  /** Runs the next of several trips to the pool; the last returns the result. */
  trip?(): IteratorResult<undefined, unknown>
  /** Converts the result for the program, at delivery. */
  deliver?(result: unknown): unknown
  /** The same for a result that is read before anything else runs: not for promises. */
  share?(result: unknown): unknown
}

/** Who waits for a task: a request, the symbol for a promise, or nobody (synchronous). */
export type Waiter = Request | symbol | undefined

export class Forms {
  readonly #host: FilesHost
  readonly #Request: new () => Request
  readonly #usePromises: symbol
  readonly #binding: FilesBinding

  constructor(host: FilesHost, binding: FilesBinding) {
    this.#host = host
    this.#binding = binding
    this.#Request = binding.FSReqCallback
    this.#usePromises = binding.kUsePromises
  }

  /**
   * The request among a call's arguments; its position varies between functions and versions of
   * Node.
   */
  waiter(args: Arguments): Waiter {
    for (let index = args.length - 1; index > 0; index--) {
      const argument = args[index]
      if (argument === this.#usePromises || argument instanceof this.#Request) return argument
    }
    return undefined
  }

  /** Runs a task for a waiter; returns what the binding's function returns. */
  run(task: Task, waiter: Waiter, called: Function): unknown {
    if (waiter === undefined) return this.#now(task, called)
    if (typeof waiter === 'symbol') return this.#promised(task)
    const context = contextFor('FSREQCALLBACK', waiter)
    this.submit(
      task,
      (result) => {
        const given = result === undefined ? [null] : [null, hand(task, result)]
        endContext(context, () => waiter.oncomplete(...given))
      },
      (error) => endContext(context, () => waiter.oncomplete(error)),
      waiter,
    )
    return undefined
  }

  #promised(task: Task): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const context = newContext(task.promised ?? 'FSREQPROMISE')
      this.submit(
        task,
        (result) => {
          const delivered = deliver(task, result)
          endContext(context, () => resolve(delivered))
        },
        (error) => endContext(context, () => reject(error)),
      )
    })
  }

  /** @param request see `PoolOperation` */
  submit(
    task: Task,
    succeeded: (result: unknown) => void,
    failed: (error: unknown) => void,
    request: object | string = 'FSReqPromise',
  ): void {
    const { trip } = task
    if (trip !== undefined) {
      const next = ({ done, value }: IteratorResult<undefined, unknown>) =>
        done ? succeeded(value) : this.#trip(task, trip, next, failed, request)
      this.#trip(task, trip, next, failed, request)
      return
    }
    this.#trip(task, task.effect, succeeded, failed, request)
  }

  #trip<Result>(
    task: Task,
    effect: () => Result,
    succeeded: (result: Result) => void,
    failed: (error: unknown) => void,
    request: object | string,
  ): void {
    this.#host.submit({
      kind: task.kind,
      resource: task.resource,
      effect,
      request,
      ...(task.divided === undefined ? {} : { divided: task.divided }),
      complete(error, result) {
        if (error === undefined || error === null) succeeded(result as Result)
        else failed(error)
      },
    })
  }

  /** The task of an operation; captures its arguments in place. */
  task(files: Files, operation: Operation, args: Arguments): Task {
    capture(operation, args)
    const task = { kind: operation.kind, resource: resourceOf(files, operation, args), ...work(files, operation, args) }
    if (operation.shared === undefined) return task
    return { ...task, share: (result) => this.shared(operation, result as StatValues) }
  }

  /** The intercepted function of the binding for an operation, in all its forms. */
  intercept(files: Files, operation: Operation, original: Native): Native {
    const { active } = this.#host
    const forms = this
    return function intercepted(this: unknown, ...args: Arguments): unknown {
      if (!active() || operation.accepts?.(args) === false) return original.apply(this, args)
      return forms.run(forms.task(files, operation, args), forms.waiter(args), intercepted)
    }
  }

  /** Node reads a stat from its own array before anything else runs. */
  shared(operation: Operation, values: StatValues): StatValues {
    const bigint = values instanceof BigInt64Array
    if (operation.shared === 'statfs') {
      return share(bigint ? this.#binding.bigintStatFsValues : this.#binding.statFsValues, values)
    }
    return share(bigint ? this.#binding.bigintStatValues : this.#binding.statValues, values)
  }

  #now(task: Task, called: Function): unknown {
    this.#host.performed(task.kind, task.resource)
    try {
      const result = task.effect()
      return result === undefined ? undefined : hand(task, result)
    } catch (error) {
      if (error instanceof Error) Error.captureStackTrace(error, called)
      throw error
    }
  }
}

/**
 * The work on the thread: at once, in two parts (never where calls may meet faults), or in several
 * trips.
 */
function work(files: Files, operation: Operation, args: Arguments): Pick<Task, 'effect' | 'divided' | 'trip'> {
  const divided = files.faultsAllowed ? undefined : operation.divide?.(files, args)
  if (divided === undefined) {
    const steps = operation.steps?.(files, args)
    const trip = steps && (() => explaining(operation, args, () => steps.next()))
    return { effect: () => perform(files, operation, args), ...(trip === undefined ? {} : { trip }) }
  }
  const { places, begin, effect } = divided
  return {
    effect: () => explaining(operation, args, effect),
    divided: { places, begin: (place) => explaining(operation, args, () => begin(place)) },
  }
}

function deliver(task: Task, result: unknown): unknown {
  return task.deliver === undefined ? result : task.deliver(result)
}

function hand(task: Task, result: unknown): unknown {
  return task.share === undefined ? deliver(task, result) : task.share(result)
}
