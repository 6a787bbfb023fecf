/**
 * Calls between the loop, C++ that stays Node's own (OpenSSL, nghttp2), and the program.
 *
 * Follows `InternalCallbackScope` (src/api/callback.cc): a callback that C++ makes from the loop
 * drains ticks and microtasks when it returns, and what it throws is uncaught, so the next callback
 * of the same read sees a drained queue. In an immediate of C++ only the second is so. A callback
 * that C++ makes while the program calls it does neither. In norn the loop is JavaScript, so to Node
 * every callback is of this last kind.
 */

import type { Interceptor } from '../loop/interceptor.ts'
import { callFromTop, drainTicks, runTicks } from '../realm/callback-scope.ts'
import type { Activity } from '../realm/replace.ts'
import { NativeImmediates } from './native-immediates.ts'

export interface NativeCallsHost extends Activity {
  /** Whether the execution has ended, so that the program is no longer called. */
  stopped(): boolean
  caught(error: unknown): void
}

type Callback = (this: unknown, ...args: unknown[]) => unknown

/** How C++ makes a callback from the loop. */
interface Scope {
  /** Whether ticks run when it returns, until one throws; else they wait (`kSkipTaskQueues`). */
  readonly drains: boolean
  /** What C++ gets in place of an error that was reported. */
  readonly failed: Error
}

export const nativeCalls: Interceptor<NativeCallsHost, { readonly calls: NativeCalls }> = {
  name: 'calls of C++',
  install: (host) => ({ provides: { calls: new NativeCalls(host) } }),
}

export class NativeCalls {
  readonly immediates = new NativeImmediates()
  readonly #host: NativeCallsHost
  #caller: 'program' | 'loop' | 'immediate' = 'program'

  constructor(host: NativeCallsHost) {
    this.#host = host
  }

  /** Calls C++ from the loop. */
  fromLoop(action: () => void): void {
    this.#from('loop', action)
  }

  /** Calls C++ as an immediate of its own does: one scope around all immediates. */
  fromImmediate(action: () => void): void {
    this.#from('immediate', action)
  }

  #from(caller: 'loop' | 'immediate', action: () => void): void {
    const outer = this.#caller
    this.#caller = caller
    try {
      action()
    } finally {
      this.#caller = outer
    }
  }

  /** A callback of the program, or of Node's JavaScript, as C++ calls it. */
  callback(callback: Function, scope?: Scope): Callback {
    const calls = this
    const host = this.#host
    const { immediates } = this
    return function (...args) {
      const caller = calls.#caller
      if (caller === 'program' || !host.active())
        return immediates.callsBack(() => Reflect.apply(callback, this, args) as unknown)
      if (host.stopped()) return undefined
      calls.#caller = 'program'
      let result: unknown
      let hasReturned = false
      immediates.callsBack(() => {
        hasReturned = callFromTop(() => {
          result = Reflect.apply(callback, this, args)
        }, host.caught)
        if (caller !== 'loop') return
        if (scope === undefined) drainTicks(host.caught)
        else if (scope.drains && hasReturned) hasReturned = callFromTop(runTicks, host.caught)
      })
      calls.#caller = caller
      if (!hasReturned && scope !== undefined) throw scope.failed
      return result
    }
  }

  /** Wraps the callbacks that Node's JavaScript sets on an object for C++. */
  intercept(object: object, names: readonly (string | symbol)[]): void {
    for (const name of names) {
      const native = accessorOf(object, name)
      let given: unknown
      let wrapped: unknown
      Object.defineProperty(object, name, {
        configurable: true,
        enumerable: true,
        // C++ reads the property, or keeps what the native setter gets. Node compares `onread`.
        get: () => (native === undefined ? wrapped : given),
        set: (value: unknown) => {
          given = value
          wrapped = typeof value === 'function' ? this.callback(value) : value
          if (native !== undefined) Reflect.apply(native.set!, object, [wrapped])
        },
      })
    }
  }
}

/** Where C++ reads or sets a property of an object. */
export function accessorOf(object: object, name: string | symbol): PropertyDescriptor | undefined {
  for (let at = Object.getPrototypeOf(object); at !== null; at = Object.getPrototypeOf(at)) {
    const descriptor = Object.getOwnPropertyDescriptor(at, name)
    if (descriptor !== undefined) return descriptor.set === undefined ? undefined : descriptor
  }
  return undefined
}
